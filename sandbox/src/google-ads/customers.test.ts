import { expect, test } from 'vitest';
import { findCustomer, listHierarchy, USERS } from './customers.ts';

test('the agency has 2,000 accounts with distinct ids and numbers', () => {
  const [id = ''] = USERS.find(({ email }) => email.startsWith('agency@'))?.customerIds ?? [];
  const agency = findCustomer(id);
  const accounts = (agency ? listHierarchy(agency) : []).map(({ customer }) => customer);

  expect(accounts).toHaveLength(2000);
  expect(new Set(accounts.map(account => account.id)).size).toBe(2000);
  expect(new Set(accounts.map(({ ordinal }) => ordinal)).size).toBe(2000);
  expect(accounts.every(account => /^\d{10}$/.test(account.id))).toBe(true);
});
