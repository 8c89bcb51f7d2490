/**
 * Serves a page for each of the mistakes in `mistakes/mistakes.ts`, at `/<id>`, and makes the mistake. Prints the URL.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { connectorAuth, type ConnectorAuthOptions } from '@connector-auth/server-helper';
import express from 'express';
import type { pageMistakes } from '../mistakes/mistakes.ts';

const [serviceUrl = '', clientId = '', clientSecret = ''] = process.argv.slice(2);

const app = express();
const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
// A server listening on a port has an AddressInfo.
const { port } = server.address() as AddressInfo;
const pageUrl = `http://127.0.0.1:${port}`;
/** The same server on another origin. */
const otherUrl = `http://localhost:${port}`;
/** No program listens on this port. */
const closedUrl = 'http://127.0.0.1:1';

const options: ConnectorAuthOptions = {
  baseUrl: serviceUrl,
  clientId,
  clientSecret,
  allowedOrigins: [pageUrl],
  resolveCustomer: () => 'mistakes',
  // Retries at once.
  random: () => 0,
};

interface SetUp {
  readonly options?: Partial<ConnectorAuthOptions>;
  /** The attributes of `<connector-auth>`, instead of `token-url`. */
  readonly attributes?: string;
  /** The page's Content-Security-Policy. */
  readonly policy?: string;
}

const setUps: Record<keyof typeof pageMistakes, SetUp> = {
  'wrong-secret': { options: { clientSecret: 'not-the-client-secret' } },
  'service-down': { options: { baseUrl: closedUrl } },
  'https-for-http': { options: { baseUrl: serviceUrl.replace('http:', 'https:') } },
  'not-the-service': { options: { baseUrl: pageUrl } },
  'missing-origin': { options: { allowedOrigins: [otherUrl] } },
  cors: {
    options: { allowedOrigins: [otherUrl] },
    attributes: `token-url="${otherUrl}/cors/widget-token"`,
  },
  'not-mounted': { attributes: 'token-url="/not/mounted/widget-token"' },
  'own-page': { attributes: 'token-url="/own-page"' },
  'csrf-check': { attributes: 'token-url="/csrf-check"' },
  'no-customer': { options: { resolveCustomer: () => null } },
  'resolve-customer-throws': {
    options: {
      resolveCustomer: () => {
        throw new Error('The session store is down');
      },
    },
  },
  'unknown-allowed-source': { options: { allowedSources: ['granola-notes'] } },
  'unknown-source': { attributes: 'token-url="/unknown-source/widget-token" sources="granola-notes"' },
  'internal-service-url': { options: { serviceUrl: closedUrl } },
  'connect-src': { policy: "connect-src 'self'" },
  'wrong-service-url': { options: { serviceUrl: pageUrl } },
  'no-token-url': { attributes: '' },
  'script-src': { policy: "script-src 'none'" },
};

for (const [id, setUp] of Object.entries(setUps)) {
  app.get(`/${id}`, (_request, response) => {
    if (setUp.policy !== undefined) response.setHeader('Content-Security-Policy', setUp.policy);
    const attributes = setUp.attributes ?? `token-url="/${id}/widget-token"`;
    response.type('html').send(`<!doctype html>
<html lang="en">
  <meta name="viewport" content="width=device-width" />
  <link rel="icon" href="data:," />
  <title>Host page</title>
  <script src="/connector-auth.js" defer></script>
  <connector-auth ${attributes}></connector-auth>
</html>`);
  });
  app.use(`/${id}`, connectorAuth({ ...options, ...setUp.options }));
}
app.post('/own-page', (_request, response) => void response.type('html').send('<h1>Sign in</h1>'));
app.post('/csrf-check', (_request, response) => void response.status(403).send('Invalid CSRF token'));
// Serves the script and its language files.
app.use(express.static(fileURLToPath(new URL('../../widget/dist', import.meta.url)), { index: false }));

console.log(`mistakes at ${pageUrl}`);
