import { kinds } from '@connector-auth/connectors';
import type { Kind } from '@connector-auth/connectors/kind';
import { expect, test } from 'vitest';
import { describedKind } from './described-kind.ts';

const [first, second] = kinds as readonly Kind[] as readonly [Kind, Kind];

test('describes a kind once in each language', () => {
  const german = describedKind(first, 'de');
  expect(describedKind(first, 'de')).toBe(german);
  expect(describedKind(first, 'en').source).not.toEqual(german.source);
  expect(describedKind(second, 'de').source).not.toEqual(german.source);
});
