/**
 * Serves an integrator's page that tests configure with query parameters. `coop` sets the page's
 * Cross-Origin-Opener-Policy, `referrer` its Referrer-Policy, `form-action` that directive of its
 * Content-Security-Policy, `customer` the signed-in customer and `access` the access that it asks for. Every other parameter sets an attribute of
 * `<connector-auth>`. Prints the page's URL.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { connectorAuth } from '@connector-auth/server-helper';
import express from 'express';

const [serviceUrl = '', clientId = '', clientSecret = ''] = process.argv.slice(2);

const app = express();
const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
// A server listening on a port has an AddressInfo.
const pageUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

for (const access of ['write', 'read'] as const) {
  app.use(
    `/connect-to-${access}`,
    connectorAuth({
      baseUrl: serviceUrl,
      clientId,
      clientSecret,
      allowedOrigins: [pageUrl],
      access,
      resolveCustomer: ({ query }) => textOf(query['customer']) ?? null,
    }),
  );
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  `connect-src 'self' ${serviceUrl}`,
  `img-src ${serviceUrl}`,
  "require-trusted-types-for 'script'",
].join('; ');

/** Query parameters that are not attributes, including the parameters that an OAuth redirect adds. */
const noAttributes = new Set([
  'coop',
  'referrer',
  'form-action',
  'customer',
  'access',
  'secret_id',
  'error',
  'error_description',
]);

app.get('/', ({ query }, response) => {
  const coop = textOf(query['coop']);
  const referrer = textOf(query['referrer']);
  const formAction = textOf(query['form-action']);
  response.setHeader(
    'Content-Security-Policy',
    formAction === undefined ? policy : `${policy}; form-action ${formAction}`,
  );
  if (coop !== undefined) response.setHeader('Cross-Origin-Opener-Policy', coop);
  if (referrer !== undefined) response.setHeader('Referrer-Policy', referrer);
  const customer = encodeURIComponent(textOf(query['customer']) ?? '');
  const tokenUrl = `/connect-to-${textOf(query['access']) ?? 'write'}/widget-token?customer=${customer}`;
  const attributes = Object.entries(query)
    .filter(([name]) => !noAttributes.has(name))
    .map(([name, value]) => `${name}="${textOf(value) ?? ''}"`);
  response.type('html').send(`<!doctype html>
<html lang="en">
  <meta name="viewport" content="width=device-width" />
  <title>Host page</title>
  <script src="/connector-auth.js" defer></script>
  <h1>Host page</h1>
  <connector-auth token-url="${tokenUrl}" ${attributes.join(' ')}></connector-auth>
</html>`);
});
// Serves the script and its language files.
app.use(express.static(fileURLToPath(new URL('../../widget/dist', import.meta.url)), { index: false }));

console.log(`host page at ${pageUrl}`);

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
