import { expect, test } from 'vitest';
import { kinds } from '../src/kinds.ts';

test.each(kinds)('$key counts the seconds until a Retry-After date from the given time', kind => {
  const response = { status: 429, headers: { 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' }, body: {} };
  const grant = { method: 'credentials', credentials: {}, state: {}, settings: {} };
  const nowMs = Date.parse('2026-11-20T12:00:00Z');
  expect(kind.readFailure(response, nowMs, grant)).toMatchObject({
    kind: 'rate_limit',
    retryAfterSeconds: 30,
  });
});
