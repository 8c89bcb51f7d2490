import type { CustomerClient } from '@connector-auth/api/client';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CustomerClients } from './customer-clients.ts';

/** Creates a cache over a fake client that records the customers for which it creates clients. */
function clientsOf(capacity: number) {
  const made: string[] = [];
  const client = {
    forCustomer(name: string) {
      made.push(name);
      // The tests compare clients only by identity.
      return { name } as unknown as CustomerClient;
    },
  };
  // CustomerClients calls only forCustomer.
  const typed = client as unknown as ConstructorParameters<typeof CustomerClients>[0];
  return { made, clients: new CustomerClients(typed, {}, capacity) };
}

test('returns the same client for the same customer', () => {
  const { clients, made } = clientsOf(2);
  expect(clients.of('a')).toBe(clients.of('a'));
  expect(made).toEqual(['a']);
});

test('evicts the least recently used client', () => {
  const { clients, made } = clientsOf(2);
  for (const customer of ['a', 'b', 'a', 'c', 'a', 'b']) clients.of(customer);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('supports customers named like Object members', () => {
  const { clients, made } = clientsOf(9);
  for (const customer of ['__proto__', 'constructor', '__proto__']) clients.of(customer);
  expect(made).toEqual(['__proto__', 'constructor']);
});

test('creates a client only for a new customer or after the customer’s client was evicted', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 8 })),
      (capacity, visits) => {
        const { clients, made } = clientsOf(capacity);
        visits.forEach((visit, index) => {
          const before = made.length;
          const last = visits.lastIndexOf(visit, index - 1);
          const since = new Set(visits.slice(last + 1, index));
          clients.of(String(visit));
          const isKept = index > 0 && last !== -1 && since.size < capacity;
          expect(made.length - before).toBe(isKept ? 0 : 1);
        });
      },
    ),
  );
});
