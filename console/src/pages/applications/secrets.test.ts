import { expect, test } from 'vitest';
import { stateOf, type Secret } from './secrets.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
const secret = (id: string, created: number, used: number | null): Secret => ({
  id,
  created_at: hoursAgo(created),
  expires_at: null,
  last_used_at: used === null ? null : hoursAgo(used),
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
    [secret('old', 900, 2), secret('new', 3, 1)],
    { old: 'in-use', new: 'in-use' },
  ],
  [
    'the old secret can be deleted if only the new one was used for a day',
    [secret('old', 900, 25), secret('new', 48, 0)],
    { old: 'replaced', new: 'in-use' },
  ],
  [
    'an old secret that was never used can be deleted once the new one is used',
    [secret('old', 900, null), secret('new', 48, 0)],
    { old: 'replaced', new: 'in-use' },
  ],
  [
    'nothing can be concluded while no secret is used',
    [secret('old', 900, 50), secret('new', 48, null)],
    { old: 'in-use', new: 'unused' },
  ],
])('%s', (_name, secrets, expected) => {
  expect(Object.fromEntries(secrets.map(one => [one.id, stateOf(one, secrets, now)]))).toEqual(expected);
});
