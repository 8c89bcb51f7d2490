/**
 * Serves a plain HTML page with the script-tag build, and serves the token endpoint on another origin. The
 * page's Content-Security-Policy allows only what the widget needs. Prints the page's URL.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { connectorAuth } from '@connector-auth/server-helper';
import express from 'express';

const [serviceUrl = '', clientId = '', clientSecret = ''] = process.argv.slice(2);

const pageApp = express();
const tokenApp = express();
const pageUrl = await listen(pageApp);
const tokenUrl = await listen(tokenApp);

tokenApp.use(
  '/connect',
  connectorAuth({
    baseUrl: serviceUrl,
    clientId,
    clientSecret,
    allowedOrigins: [pageUrl],
    resolveCustomer: () => 'plain-page',
  }),
);

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  `connect-src ${serviceUrl} ${tokenUrl}`,
  `img-src ${serviceUrl}`,
  "require-trusted-types-for 'script'",
].join('; ');

pageApp.get('/', (_request, response) => {
  response.setHeader('Content-Security-Policy', policy).type('html').send(`<!doctype html>
<html lang="en">
  <title>Plain page</title>
  <script src="/connector-auth.js" defer></script>
  <h1>Plain page</h1>
  <connector-auth token-url="${tokenUrl}/connect/widget-token"></connector-auth>
</html>`);
});
pageApp.get('/connector-auth.js', (_request, response) => {
  response.sendFile(fileURLToPath(new URL('../../widget/dist/connector-auth.js', import.meta.url)));
});

console.log(`plain page at ${pageUrl}`);

async function listen(app: express.Express): Promise<string> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server listening on a port has an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
