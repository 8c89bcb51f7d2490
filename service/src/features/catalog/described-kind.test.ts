import { kinds } from '@connector-auth/connectors';
import { expect, test } from 'vitest';
import { describedKind } from './described-kind.ts';

test('describes a kind once in each language', () => {
  const described = new Set(kinds.map(kind => describedKind(kind, 'de')));
  expect(described.size).toBe(kinds.length);
  for (const kind of kinds) {
    expect(described).toContain(describedKind(kind, 'de'));
    expect(described).not.toContain(describedKind(kind, 'en'));
  }
});
