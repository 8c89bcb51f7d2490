/**
 * Server-side OAuth without the widget: a link, the vendor's consent page, and a redirect back with a
 * `secret_id`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createClient } from '@connector-auth/api/client';

const { SERVICE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', PORT = '3000' } = process.env;
const client = createClient({ baseUrl: SERVICE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });

const kind = 'gong';
/** The signed-in customer. Read it from your own session, never from the request. */
const customer_name = 'acme';
/** Must be registered for the application (BOOTSTRAP_REDIRECT_URLS) unless it is on localhost. */
const redirect_url = `http://localhost:${PORT}/connected`;

createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    console.error(error);
    show(response, 500, 'Something went wrong. <a href="/">Try again</a>');
  });
}).listen(Number(PORT), () => console.log(`Open http://localhost:${PORT}/`));

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', redirect_url);
  switch (pathname) {
    case '/':
      return show(response, 200, '<a href="/connect">Connect Gong</a>');

    // 1. Start the consent and redirect the user to it.
    case '/connect': {
      const { consent_url } = await client.oauth.initiate({
        customer_name,
        connector_type: kind,
        redirect_url,
      });
      response.writeHead(303, { location: consent_url }).end();
      return;
    }

    // 2. The user returns with a secret id or an error.
    case '/connected': {
      const secretId = searchParams.get('secret_id');
      if (secretId === null) return show(response, 200, 'Nothing was connected. <a href="/">Try again</a>');
      // 3. The secret id is valid for this customer and kind for ten minutes. A repeated request returns the
      // same connector.
      const connector = await client.connectors.create({
        customer_name,
        connector_type: kind,
        name: 'Sales calls',
        server_side_oauth_secret_id: secretId,
      });
      const { result } = await client.execute(connector.id, { entity: 'users', action: 'list' });
      return show(response, 200, `Connected: ${Array.isArray(result) ? result.length : 0} users`);
    }

    default:
      return show(response, 404, 'Page not found');
  }
}

function show(response: ServerResponse, status: number, html: string): void {
  // Sends this page's origin to the service, but never the secret id in the URL.
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'origin',
  });
  response.end(`<!doctype html><html lang="en"><title>Server-side OAuth</title><p>${html}</p></html>`);
}
