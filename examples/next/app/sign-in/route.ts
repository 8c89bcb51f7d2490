import { redirect } from 'next/navigation';
import { signIn } from '../../server/session.ts';

/** Replace this with your own sign-in: it signs everyone in as the same customer. */
export async function GET(): Promise<never> {
  await signIn('acme');
  redirect('/');
}
