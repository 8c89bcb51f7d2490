import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { demoCustomers, type DemoCustomer } from './customers.ts';

const cookieName = 'fieldbook_session';

/**
 * Returns the signed-in customer. The demo lets the user switch between customers. A real product reads the
 * customer from a verified session.
 */
export function signedInCustomer(request: Request): DemoCustomer | null {
  const id = sessionIdOf(request);
  return demoCustomers.find(customer => id?.startsWith(`${customer.id}.`)) ?? null;
}

/** Returns the id of the session, which is of one customer; null if there is none. */
export function sessionIdOf(request: Request): string | null {
  const pairs = (request.headers.cookie ?? '').split(';').map(pair => pair.trim().split('='));
  return pairs.find(([name]) => name === cookieName)?.[1] ?? null;
}

/** Signs the user in as a customer, in a new session. */
export function signIn(response: Response, customer: DemoCustomer): void {
  response.cookie(cookieName, `${customer.id}.${randomUUID()}`, { httpOnly: true, sameSite: 'lax' });
}
