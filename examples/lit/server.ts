import { randomUUID } from 'node:crypto';
import { connectorAuth } from '@connector-auth/server-helper';
import express from 'express';
import session from 'express-session';
import { readNotes } from './notes.ts';

declare module 'express-session' {
  interface SessionData {
    customer: string;
  }
}

const { SERVICE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', PORT = '3000', NODE_ENV } = process.env;
const page = `http://localhost:${PORT}`;
const app = express();

app.use(session({ secret: randomUUID(), resave: false, saveUninitialized: false }));

// Before express.json() and other body parsers.
app.use(
  '/connector-auth',
  connectorAuth({
    baseUrl: SERVICE_URL,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    allowedOrigins: [page],
    resolveCustomer: request => request.session.customer ?? null,
  }),
);

app.get('/api/notes', async ({ session, query }, response) => {
  if (session.customer === undefined) return void response.sendStatus(401);
  const words = typeof query.words === 'string' ? query.words.trim() : '';
  response.json(await readNotes(session.customer, words));
});

// Replace this with your own sign-in: it signs everyone in as the same customer.
app.get('/', (request, _response, next) => {
  request.session.customer ??= 'acme';
  next();
});

if (NODE_ENV === 'production') app.use(express.static('dist'));
else {
  const { createServer } = await import('vite');
  app.use((await createServer({ server: { middlewareMode: true } })).middlewares);
}
app.listen(Number(PORT), error => {
  if (error) throw error;
  console.log(`Open ${page}`);
});
