import { expect, test } from 'vitest';
import { stateOf, type Secret } from './secrets.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
const secret = (id: string, created: number, used: number | null): Secret => ({
  id,
  created_at: minutesAgo(created),
  expires_at: null,
  last_used_at: used === null ? null : minutesAgo(used),
});

test.each([
  ['the only secret is needed', [secret('old', 900, 0)], { old: 'only' }],
  [
    'a new secret is unused until a backend uses it',
    [secret('old', 900, 0), secret('new', 1, null)],
    { old: 'in-use', new: 'unused' },
  ],
  [
    'both are in use during a deployment',
    [secret('old', 900, 59), secret('new', 100, 1)],
    { old: 'in-use', new: 'in-use' },
  ],
  [
    'the old secret can be deleted if only the new one was used for an hour',
    [secret('old', 900, 60), secret('new', 100, 0)],
    { old: 'replaced', new: 'in-use' },
  ],
  [
    'the old secret can still be deleted when the new one is idle',
    [secret('old', 9000, 6000), secret('new', 7000, 5000)],
    { old: 'replaced', new: 'in-use' },
  ],
  [
    'an old secret that was never used can be deleted once the new one is used',
    [secret('old', 900, null), secret('new', 100, 0)],
    { old: 'superseded', new: 'in-use' },
  ],
  [
    'an old secret is needed while the new one is not used',
    [secret('old', 9000, 500), secret('new', 100, null)],
    { old: 'in-use', new: 'unused' },
  ],
  [
    'nothing can be concluded while no secret is used',
    [secret('old', 900, null), secret('new', 100, null)],
    { old: 'unused', new: 'unused' },
  ],
])('%s', (_name, secrets, expected) => {
  expect(Object.fromEntries(secrets.map(one => [one.id, stateOf(one, secrets, now)]))).toEqual(expected);
});
