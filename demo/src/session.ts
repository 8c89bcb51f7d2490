import type { Request, Response } from 'express';
import { demoCustomers, type DemoCustomer } from './customers.ts';

const cookieName = 'fieldbook_customer';

/**
 * Returns the signed-in customer. The demo lets the user switch between customers. A real product reads the
 * customer from a verified session.
 */
export function signedInCustomer(request: Request): DemoCustomer | null {
  const pairs = (request.headers.cookie ?? '').split(';').map(pair => pair.trim().split('='));
  const id = pairs.find(([name]) => name === cookieName)?.[1];
  return demoCustomers.find(customer => customer.id === id) ?? null;
}

/** Signs the user in as a customer. */
export function signIn(response: Response, customer: DemoCustomer): void {
  response.cookie(cookieName, customer.id, { httpOnly: true, sameSite: 'lax' });
}
