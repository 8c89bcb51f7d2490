import { expect, test } from 'vitest';
import { parseExactly, sentenceOf } from './backend.ts';

test('keeps integers that a number would round, and rejects nothing', () => {
  expect(parseExactly('{"id":7716886257315795456,"count":3}')).toEqual({
    id: '7716886257315795456',
    count: 3,
  });
  expect(parseExactly('<html>')).toBeNull();
});

test('says to customers what they can do', () => {
  expect(sentenceOf({ code: 'reauthentication_required', detail: 'For developers' }, 409)).toContain(
    'Reconnect',
  );
  expect(sentenceOf({ detail: 'Choose another field' }, 422)).toBe('Choose another field');
  expect(sentenceOf(null, 502)).toBe('Fieldbook returned an error (status 502).');
});
