import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parseJson, stringifyJson } from './lossless-json.ts';
import { ConnectorAuthError, fromProblem, problemCodes, problems, toProblem } from './problem.ts';

describe('problems', () => {
  test.each(problemCodes)('declares an error status and a title for the code %s', code => {
    expect(problems[code].status).toBeGreaterThanOrEqual(400);
    expect(problems[code].status).toBeLessThan(600);
    expect(problems[code].title).toMatch(/^[A-Z].*[^.]$/);
  });
});

test('converts an error to a problem and back without changes', () => {
  const error = new ConnectorAuthError('credentials_refused', 'Granola rejected the API key', {
    errors: [{ path: 'credentials.api_key', message: 'Paste the key again' }],
    vendor: { name: 'Granola', status: 401, code: null, message: 'Invalid API key' },
  });
  const wire = stringifyJson(toProblem(error, 'req-1'));
  const copy = fromProblem(parseJson(wire), 7);
  expect(copy).toBeInstanceOf(ConnectorAuthError);
  expect(copy).toMatchObject({
    code: 'credentials_refused',
    message: 'Granola rejected the API key',
    status: 422,
    errors: [{ path: 'credentials.api_key', message: 'Paste the key again' }],
    vendor: { name: 'Granola', status: 401, code: null, message: 'Invalid API key' },
    requestId: 'req-1',
    retryAfterSeconds: 7,
  });
});

test('omits empty members from a problem', () => {
  expect(toProblem(new ConnectorAuthError('route_not_found', 'No such endpoint: /x'), null)).toEqual({
    type: 'urn:connector-auth:problem:route_not_found',
    title: 'Endpoint not found',
    status: 404,
    detail: 'No such endpoint: /x',
    code: 'route_not_found',
    request_id: null,
  });
});

test('omits the cause of an error from its problem', () => {
  const error = new ConnectorAuthError('internal_error', 'Something went wrong', {
    cause: new Error('password=hunter2'),
  });
  expect(stringifyJson(toProblem(error, 'req-1'))).not.toContain('hunter2');
  expect(inspect(error.cause)).toContain('hunter2');
});

test.each([
  ['null', null],
  ['a string', 'Bad Gateway'],
  ['an array', []],
  ['an empty object', {}],
  ['a problem of another API', { type: 'about:blank', title: 'Bad Gateway', status: 502 }],
  [
    'an unknown code',
    { type: 'x', title: 'x', status: 400, detail: 'x', code: 'toString', request_id: null },
  ],
])('fromProblem returns null for %s', (_what, body) => {
  expect(fromProblem(body)).toBeNull();
});
