import { getIronSession } from 'iron-session';
import { cookies } from 'next/headers';

// Set SESSION_SECRET in production, where several processes must read each other's sessions.
const { SESSION_SECRET = 'only for development: 32 characters' } = process.env;

const readSession = async () =>
  getIronSession<{ customer?: string }>(await cookies(), { password: SESSION_SECRET, cookieName: 'session' });

/** Returns the signed-in customer, or null. */
export async function customerOfSession(): Promise<string | null> {
  return (await readSession()).customer ?? null;
}

/** Signs in as a customer. */
export async function signIn(customer: string): Promise<void> {
  const session = await readSession();
  session.customer = customer;
  await session.save();
}
