import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { format, type FormatConfig } from 'oxfmt';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import style from '../../.oxfmtrc.json' with { type: 'json' };
import { troubleshooting } from '../../e2e/mistakes/document.ts';
import { pageMistakes, patternOf, serverMistakes, type Mistake } from '../../e2e/mistakes/mistakes.ts';
import { connectorAuth, createConnectorAuth } from '../../server-helper/src/index.ts';
import { readConfiguration } from '../src/platform/config/configuration.ts';
import { platformApps } from './consent.ts';
import { onPostgresOrEachEngineInFull } from './engines.ts';
import { application as bootstrap, startServiceProcess } from './service-process.ts';
import {
  startTestService,
  type RequestOptions,
  type ServiceOptions,
  type TestService,
} from './test-service.ts';

const page = 'http://127.0.0.1:5555';
const connectors = '/api/v1/integrations/connectors';
const closedUrl = 'http://127.0.0.1:1';

const options = {
  baseUrl: closedUrl,
  clientId: 'own',
  clientSecret: 'secret-of-own',
  allowedOrigins: [page],
  resolveCustomer: () => 'acme',
  onError: () => {},
};

type ServerMistakeId = keyof typeof serverMistakes;

/** The mistakes for which no service has to run. Each function returns what appears. */
const withoutService: Partial<Record<ServerMistakeId, () => Promise<string> | string>> = {
  'empty-environment': () => messageOf(() => createConnectorAuth({ ...options, clientSecret: '' })),
  'origin-with-slash': () =>
    messageOf(() => createConnectorAuth({ ...options, allowedOrigins: ['https://app.example.com/'] })),
  'body-parser-first': async () => {
    const url = await listen(express().use(express.json()).use(connectorAuth(options)));
    const response = await fetch(`${url}/connectors/7d9f3a52-1c6e-4c0b-9a53-0a6f6b1d8d11/execute`, {
      method: 'POST',
      headers: { origin: page, 'content-type': 'application/json' },
      body: '{}',
    });
    return response.text();
  },
  'port-in-use': async () => {
    const { port } = new URL(await listen(() => {}));
    const service = startServiceProcess({ PORT: port });
    expect(await service.ended).toBe(1);
    return service.stdout() + service.stderr();
  },
  'no-keys': () => messageOf(() => readConfiguration({ DATABASE_URL: 'postgres://localhost/agent' }, [])),
  'misspelled-variable': () =>
    readConfiguration({ ...bootstrap, BOOTSTRAP_ORGANISATION: 'Acme' }, []).warnings.join('\n'),
};

test.each(Object.entries(withoutService))('says what to change: %s', async (id, appears) => {
  expectAdvice(serverMistakes[id as ServerMistakeId], await appears());
});

onPostgresOrEachEngineInFull('the service says what to change', database => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await start({ oauthApps: platformApps });
    token = await service.tokenOf(await service.addApplication('own', ['Own']));
  });
  afterAll(() => service.close());

  const start = (serviceOptions: ServiceOptions) => startTestService(database(), serviceOptions);

  const withService: Partial<Record<ServerMistakeId, () => Promise<string>>> = {
    'several-organizations': async () => {
      const { clientId, clientSecret } = await service.addApplication('shared', ['Own', 'Other']);
      const { handler } = createConnectorAuth({ ...options, baseUrl: service.url, clientId, clientSecret });
      const request = new Request(`${page}/widget-token`, { method: 'POST', headers: { origin: page } });
      return (await handler(request)).text();
    },
    'unknown-kind': () => ask('GET', `${connectors}?connector_type=granola-notes`, { token }),
    'redirect-url': () => initiate('https://app.example/back', { token }),
    'public-url': async () => initiate('http://localhost:8787/oauth/complete', await asPage(page)),
    'token-of-another-page': async () =>
      ask('GET', connectors, { ...(await asPage(page)), headers: { origin: 'https://app.example' } }),
    'no-helper-url': () =>
      ask('POST', '/api/v1/integrations/connect-links', { token, body: { customer_name: 'acme' } }),
    'sandbox-down': async () => {
      const other = await start({ sandbox: { ...service.sandbox, url: closedUrl } });
      onTestFinished(() => other.close());
      return (await connectGranola(other)).text;
    },
    'no-sandbox-url': async () => {
      const other = await start({ sandbox: service.sandbox, settings: { sandboxUrl: null } });
      onTestFinished(() => other.close());
      await connectGranola(other);
      return other.logged();
    },
  };

  test.each(Object.entries(withService))('%s', async (id, appears) => {
    expectAdvice(serverMistakes[id as ServerMistakeId], await appears());
  });

  test('every mistake in the table is made', () => {
    const made = [...Object.keys(withoutService), ...Object.keys(withService)];
    expect(made.toSorted()).toEqual(Object.keys(serverMistakes).toSorted());
  });

  async function ask(method: string, path: string, request: RequestOptions): Promise<string> {
    return (await service.ask(method, path, request)).text;
  }

  function initiate(redirect_url: string, request: RequestOptions): Promise<string> {
    const body = {
      connector_type: 'gong',
      redirect_url,
      challenge: 'x'.repeat(43),
      ...(request.headers ? {} : { customer_name: 'acme' }),
    };
    return ask('POST', `${connectors}/oauth/initiate`, { ...request, body });
  }

  /** Returns the token and headers of the widget on a page. */
  async function asPage(origin: string): Promise<RequestOptions> {
    const widget = await service.customerToken(token, { customer_name: 'acme', allowed_origin: origin });
    return { token: widget, headers: { origin } };
  }

  function connectGranola(at: TestService) {
    const body = {
      customer_name: 'acme',
      connector_type: 'granola',
      name: 'Notes',
      credentials: {
        // The sandbox rejects it, as the real vendor would.
        api_key: 'grn_sandbox_revoked',
      },
    };
    return at.ask('POST', connectors, { token, body });
  }
});

const all: [string, Mistake][] = Object.entries({ ...pageMistakes, ...serverMistakes });

test.each(all)('the message names the setting to change: %s', (_id, { says, setting }) => {
  expect(says).toContain(setting);
});

test('docs/troubleshooting.md is the table; vitest -u writes it', async () => {
  const path = join(import.meta.dirname, '../../docs/troubleshooting.md');
  const { code } = await format(path, troubleshooting(), style as FormatConfig);
  await expect(code).toMatchFileSnapshot(path);
});

/** Asserts that the text contains the message and, in a response, the code. */
function expectAdvice(mistake: Mistake, text: string): void {
  if (mistake.appears !== 'response') return expect(text).toMatch(patternOf(mistake));
  // The service and the helper respond with problems.
  const { code, detail } = JSON.parse(text) as { code: string; detail: string };
  expect({ code, detail }).toEqual({
    code: mistake.code,
    detail: expect.stringMatching(patternOf(mistake)) as string,
  });
}

function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('There was no error');
}

/** Starts a server until the test ends. */
async function listen(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  // A server that listens on a port has an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
