import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectorAuth } from '@connector-auth/server-helper';
import express from 'express';
import session from 'express-session';

declare module 'express-session' {
  interface SessionData {
    customer: string;
  }
}

const { SERVICE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', PORT = '3000' } = process.env;
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

// Replace this with your own sign-in: it signs everyone in as the same customer.
app.get('/', (request, _response, next) => {
  request.session.customer ??= 'acme';
  next();
});

// The folder of connector-auth.js and its languages.
app.use(express.static(dirname(fileURLToPath(import.meta.resolve('@connector-auth/widget/script')))));
app.use(express.static('public'));
app.listen(Number(PORT), error => {
  if (error) throw error;
  console.log(`Open ${page}`);
});
