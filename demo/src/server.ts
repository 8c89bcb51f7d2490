/** Fieldbook's backend. Serves the session, the server helper's routes, and the page. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, type Client } from '@connector-auth/api/client';
import { connectorAuth } from '@connector-auth/server-helper';
import express, { Router } from 'express';
import { createServer as createViteServer } from 'vite';
import { ChatAccess } from './chat/access.ts';
import { createLanguageModel, type ModelSettings } from './chat/language-model.ts';
import { chatRoutes } from './chat/routes.ts';
import { scriptedModel } from './chat/scripted-model.ts';
import { suggestions } from './chat/suggestions.ts';
import { PortInUseError } from './child-process.ts';
import { demoCustomers, firstCustomer } from './customers.ts';
import { createEventStream } from './event-stream.ts';
import type { Session } from './page/backend.ts';
import { askForConsent, listOwnCredentials, revokeConsent } from './sandbox.ts';
import { sessionIdOf, signedInCustomer, signIn } from './session.ts';
import { pathOnThisHost, signInPage } from './sign-in-page.ts';
import { demoBuild } from './vite.ts';

export interface DemoOptions {
  readonly serviceUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The sandbox URL that the page shows, or null if the service uses the real vendors. */
  readonly sandboxUrl: string | null;
  readonly port: number;
  /** Resolves with the secret of the webhook that sends events to the route `/connector-auth/events`, if there is one. */
  readonly webhookSecret?: Promise<string>;
  /** The language model that answers in the chat. Without one, answers are scripted. */
  readonly model?: ModelSettings | null;
  /** Returns the time of the data, if that is not the present. */
  readonly now?: () => Date;
}

export interface RunningDemo {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the demo app on loopback. */
export async function startDemo(options: DemoOptions): Promise<RunningDemo> {
  const app = express();
  const server = createServer(app);
  const vite = await createViteServer({
    ...demoBuild,
    configFile: false,
    server: { middlewareMode: true, hmr: { server } },
  });
  const url = await listen(server, options.port).catch(async (error: unknown) => {
    await vite.close();
    throw error;
  });

  const webhookSecret = await options.webhookSecret;
  const stream = createEventStream();
  const client = createClient({
    baseUrl: options.serviceUrl,
    clientId: options.clientId,
    clientSecret: options.clientSecret,
  });
  app.disable('x-powered-by');
  app.use(
    '/connector-auth',
    connectorAuth({
      baseUrl: options.serviceUrl,
      clientId: options.clientId,
      clientSecret: options.clientSecret,
      allowedOrigins: [url],
      // Fieldbook reads, and pauses and labels campaigns.
      access: 'write',
      allowedActions: ['list', 'get', 'search', 'check', 'create', 'update'],
      // `link` lets users ask someone else to connect a source.
      allowedManagement: ['create', 'rename', 'reconnect', 'delete', 'settings', 'link'],
      resolveCustomer: request => {
        const customer = signedInCustomer(request);
        return customer && { name: customer.id, displayName: customer.company };
      },
      resolveUser: request => {
        const customer = signedInCustomer(request);
        return customer && { id: customer.personId, name: customer.person };
      },
      ...(webhookSecret === undefined ? {} : { webhookSecret, onEvent: stream.send }),
      signInUrl: returnTo => `/sign-in?next=${encodeURIComponent(returnTo)}`,
    }),
  );
  app.get('/sign-in', (request, response) => {
    response.send(signInPage(pathOnThisHost(request.query['next'])));
  });
  app.post('/sign-in', express.urlencoded({ extended: false }), (request, response) => {
    const { customer: id } = (request.body ?? {}) as { customer?: unknown };
    const customer = demoCustomers.find(candidate => candidate.id === id);
    if (customer) signIn(response, customer);
    response.redirect(303, pathOnThisHost(request.query['next']));
  });
  const { serviceUrl, sandboxUrl, now = () => new Date() } = options;
  const model = options.model ? createLanguageModel(options.model) : scriptedModel;
  const access = new ChatAccess(serviceUrl, url);
  app.get('/api/session', async (request, response) => {
    const customer = signedInCustomer(request) ?? firstCustomer;
    if (signedInCustomer(request) === null) signIn(response, customer);
    const credentials = sandboxUrl === null ? [] : await listOwnCredentials(sandboxUrl, customer.id);
    const chat = {
      model: model.name,
      reasonToSignIn: access.reasonToSignIn(sessionIdOf(request)),
      suggestions: Object.values(suggestions),
    };
    const session: Session = {
      customer,
      customers: demoCustomers,
      serviceUrl,
      sandboxUrl,
      credentials,
      chat,
      receivesEvents: webhookSecret !== undefined,
    };
    response.json(session);
  });
  app.use('/api/events', stream.routes);
  app.use('/api/chat', chatRoutes({ access, origin: url, model, now }));
  app.use('/api/sandbox', sandboxRoutes(client, sandboxUrl, url));
  app.use(vite.middlewares);

  return {
    url,
    close: async () => {
      await vite.close();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** What the demo adds to a product: a connection that breaks at the vendor. */
function sandboxRoutes(client: Client, sandboxUrl: string | null, origin: string): Router {
  const router = Router();
  // Breaks a connection: the vendor forgets the consent, and the service finds out.
  router.post('/breaks/:id', async (request, response) => {
    const customer = signedInCustomer(request);
    if (sandboxUrl === null || customer === null || request.headers.origin !== origin) {
      return void response.status(403).json({ detail: 'Only pages of the demo can break a connection' });
    }
    const { connectors } = client.forCustomer(customer.id);
    const { connector_type: source } = await connectors.get(request.params.id);
    await revokeConsent(sandboxUrl, source, customer.id);
    await connectors.check(request.params.id);
    response.status(204).end();
  });
  router.delete('/breaks/:source', async (request, response) => {
    if (sandboxUrl !== null && request.headers.origin === origin) {
      await askForConsent(sandboxUrl, request.params.source);
    }
    response.status(204).end();
  });
  return router;
}

async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    // Errors from Node's `listen` include a code.
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new PortInUseError(`Port ${port} is in use: stop the program that uses it`, { cause: error });
  }
  // A server listening on a port has an AddressInfo.
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
