import { expect, test } from 'vitest';
import { parseExactly } from './exact-json.ts';

test('keeps all digits of an id, and leaves other numbers as they are', () => {
  expect(parseExactly('{"id":7001234567890123450,"small":[9007199254740991,1.5,-2],"text":"7"}')).toEqual({
    id: '7001234567890123450',
    small: [9007199254740991, 1.5, -2],
    text: '7',
  });
});
