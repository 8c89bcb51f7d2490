import { expect, test } from 'vitest';
import { Denylist, type CheckedToken, type TokenFilter } from './denylist.ts';

const token = {
  kind: 'scoped',
  applicationId: 'app',
  organizationId: 'org',
  customer: { id: 'customer' },
  issuedAtUs: 1_800_000_000_000_005,
} satisfies CheckedToken;

function check(filter: TokenFilter, notBeforeUs: number): void {
  const denylist = new Denylist(Infinity);
  denylist.replace([{ ...filter, notBeforeUs }], 0);
  denylist.requireLive(token);
}

test.each<TokenFilter>([
  {},
  { kind: 'scoped' },
  { applicationId: 'app' },
  { organizationId: 'org', applicationId: 'app' },
  { organizationId: 'org', customerId: 'customer' },
  { organizationId: 'org', kind: 'scoped', applicationId: 'app', customerId: 'customer' },
])('a revocation of %j ends a matching token that was issued until then, to the microsecond', filter => {
  const error = expect.objectContaining({ code: 'token_invalid', status: 401 }) as Error;
  expect(() => check(filter, token.issuedAtUs)).toThrow(error);
  expect(() => check(filter, token.issuedAtUs - 1)).not.toThrow();
});

test.each<TokenFilter>([
  { kind: 'widget' },
  { applicationId: 'another' },
  { organizationId: 'org', applicationId: 'another' },
  { organizationId: 'another', customerId: 'customer' },
  { organizationId: 'org', customerId: 'another' },
])('a revocation of %j does not end other tokens', filter => {
  expect(() => check(filter, token.issuedAtUs + 1)).not.toThrow();
});

test('revocations for one organization match an application token only once it has chosen that organization', () => {
  const denylist = new Denylist(Infinity);
  const { issuedAtUs: notBeforeUs } = token;
  denylist.replace([{ organizationId: 'org', applicationId: 'app', notBeforeUs }], 0);
  const { customer: _customer, organizationId, ...application } = { ...token, kind: 'application' as const };
  expect(() => denylist.requireLive(application)).not.toThrow();
  expect(() => denylist.requireLive({ ...application, organizationId: 'another' })).not.toThrow();
  expect(() => denylist.requireLive({ ...application, organizationId })).toThrow('was revoked');
});

test('rejects every token with overloaded when the list is older than its maximum age', () => {
  let now = 0;
  const denylist = new Denylist(5000, () => now);
  const overloaded = expect.objectContaining({ code: 'overloaded', retryAfterSeconds: 1 }) as Error;
  expect(() => denylist.requireLive(token)).toThrow(overloaded);
  denylist.replace([], 0);
  now = 5000;
  expect(() => denylist.requireLive(token)).not.toThrow();
  now = 5001;
  expect(() => denylist.requireLive(token)).toThrow(overloaded);
  denylist.replace([], 5001);
  expect(() => denylist.requireLive(token)).not.toThrow();
});

test('a slow query does not replace the result of a later query', () => {
  const denylist = new Denylist(Infinity);
  denylist.replace([{ notBeforeUs: token.issuedAtUs }], 2);
  denylist.replace([], 1);
  expect(() => denylist.requireLive(token)).toThrow('was revoked');
});
