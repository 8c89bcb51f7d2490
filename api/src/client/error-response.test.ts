import { expect, test } from 'vitest';
import { ConnectorAuthError, toProblem } from '../problem.ts';
import { parseProblem } from './error-response.ts';

test('reads what a problem says', () => {
  const issues = [{ path: 'name', message: 'Must not be blank' }];
  const accounts = { current: '1', given: '2' };
  const error = new ConnectorAuthError('invalid_params', 'No', { errors: issues, accounts });
  expect(parseProblem(toProblem(error, 'req-1'))).toEqual({
    code: 'invalid_params',
    message: 'No',
    requestId: 'req-1',
    accounts,
    issues,
  });
});

test('reads a code that only a newer service knows, and no issues from a body without a list of them', () => {
  expect(parseProblem({ code: 'newer', detail: 'No', errors: 'none' })).toEqual({
    code: 'newer',
    message: 'No',
    requestId: null,
    issues: [],
  });
});

test.each([
  undefined,
  null,
  'Bad gateway',
  502,
  [],
  {},
  { code: 'internal_error' },
  { code: 5, detail: 'No' },
])('returns null for %j', body => {
  expect(parseProblem(body)).toBeNull();
});
