import { randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectorAuth } from '@connector-auth/server-helper/hono';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type Context } from 'hono';
import { getSignedCookie, setSignedCookie } from 'hono/cookie';
import { readNotes } from './notes.ts';
import { noteList, page } from './page.ts';

const { SERVICE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', PORT = '3000' } = process.env;
const origin = `http://localhost:${PORT}`;
const cookieSecret = randomUUID();
const app = new Hono();

const customerOf = async (context: Context) =>
  (await getSignedCookie(context, cookieSecret, 'customer')) || null;

app.all(
  '/connector-auth/*',
  connectorAuth({
    baseUrl: SERVICE_URL,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    allowedOrigins: [origin],
    resolveCustomer: customerOf,
  }),
);

const wordsOf = (context: Context) => context.req.query('words')?.trim() ?? '';

app.get('/', async context => {
  let customer = await customerOf(context);
  if (customer === null) {
    // Replace this with your own sign-in: it signs everyone in as the same customer.
    customer = 'acme';
    await setSignedCookie(context, 'customer', customer, cookieSecret, { httpOnly: true, sameSite: 'Lax' });
  }
  const words = wordsOf(context);
  return context.html(page(await readNotes(customer, words), words));
});

app.get('/notes', async context => {
  const customer = await customerOf(context);
  if (customer === null) return context.body(null, 401);
  return context.html(noteList(await readNotes(customer, wordsOf(context))));
});

// The folder of connector-auth.js and its languages.
const script = fileURLToPath(import.meta.resolve('@connector-auth/widget/script'));
app.get('/*', serveStatic({ root: relative('.', `${script}/..`) }));

serve({ fetch: app.fetch, port: Number(PORT) }, () => console.log(`Open ${origin}`));
