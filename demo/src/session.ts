import type { Request, Response } from 'express';
import { demoCustomers, type DemoCustomer } from './customers.ts';

const cookieName = 'fieldbook_customer';

/**
 * Who is signed in. The demo lets a visitor choose, so that two customers can be compared; a real product reads the
 * customer from the session it has verified.
 */
export function signedInCustomer(request: Request): DemoCustomer | null {
  const pairs = (request.headers.cookie ?? '').split(';').map(pair => pair.trim().split('='));
  const id = pairs.find(([name]) => name === cookieName)?.[1];
  return demoCustomers.find(customer => customer.id === id) ?? null;
}

/** Signs a visitor in as a customer. */
export function signIn(response: Response, customer: DemoCustomer): void {
  response.cookie(cookieName, customer.id, { httpOnly: true, sameSite: 'lax' });
}
