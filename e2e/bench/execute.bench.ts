/**
 * Measures the latency that the helper and the service add. Lists the same notes directly from the sandbox,
 * through the service, and through the helper and the service. All requests use loopback and are interleaved,
 * so that noise affects them equally.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@connector-auth/api/client';
import { connectorAuth } from '@connector-auth/server-helper';
import express from 'express';
import { Agent } from 'undici';
import { startStack } from '../../demo/src/stack.ts';

const rounds = 300;
const warmUp = 50;
const customer = 'bench';
const operation = { entity: 'notes', action: 'list', params: { page_size: 10 } };

const dataDir = mkdtempSync(join(tmpdir(), 'connector-auth-bench-'));
const stack = await startStack({
  dataDir,
  ports: { demo: 0, service: 0, sandbox: 0 },
  log: () => undefined,
  onUnexpectedExit: message => console.error(message),
  unlimited: true,
});
const helper = createServer(
  express().use(
    connectorAuth({
      baseUrl: stack.serviceUrl,
      clientId: stack.clientId,
      clientSecret: stack.clientSecret,
      allowedOrigins: ['http://localhost:1'],
      resolveCustomer: () => customer,
    }),
  ),
).listen(0, '127.0.0.1');
await once(helper, 'listening');
// A server listening on a port has an AddressInfo.
const helperUrl = `http://127.0.0.1:${(helper.address() as AddressInfo).port}`;
const agent = new Agent();
try {
  const client = createClient({
    baseUrl: stack.serviceUrl,
    clientId: stack.clientId,
    clientSecret: stack.clientSecret,
  });
  const { id } = await client.connectors.create({
    customer_name: customer,
    connector_type: 'granola',
    name: 'Bench',
    credentials: { api_key: 'grn_sandbox_demo' },
  });
  const { token } = await client.tokens.mintScoped({ customer_name: customer });
  const body = JSON.stringify(operation);
  const json = { 'content-type': 'application/json' };

  const paths = {
    vendor: () =>
      send(`${stack.sandboxUrl}/public-api.granola.ai/v1/notes?page_size=10`, {
        headers: { authorization: 'Bearer grn_sandbox_demo' },
      }),
    service: () =>
      send(`${stack.serviceUrl}/api/v1/integrations/connectors/${id}/execute`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${token}` },
        body,
      }),
    'helper + service': () =>
      send(`${helperUrl}/connectors/${id}/execute`, {
        method: 'POST',
        headers: { ...json, origin: 'http://localhost:1' },
        body,
      }),
  };

  const times: Record<string, number[]> = {};
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const [name, call] of Object.entries(paths)) {
      const startedAt = performance.now();
      await call();
      if (round >= warmUp) (times[name] ??= []).push(performance.now() - startedAt);
    }
  }
  const floor = median(times['vendor'] ?? []);
  console.table(
    Object.fromEntries(
      Object.entries(times).map(([name, all]) => [
        name,
        {
          'p50 ms': round2(median(all)),
          'p99 ms': round2(quantile(all, 0.99)),
          'adds at p50, ms': round2(median(all) - floor),
          'of the floor': `${round2(median(all) / floor)} ×`,
        },
      ]),
    ),
  );
  console.log('Target: helper + service adds under 5 ms at the median.');
} finally {
  await agent.close();
  helper.closeAllConnections();
  helper.close();
  await stack.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function send(
  url: string,
  request: { method?: 'POST'; headers: Record<string, string>; body?: string },
): Promise<void> {
  const { statusCode, body } = await agent.request({
    origin: new URL(url).origin,
    path: new URL(url).pathname + new URL(url).search,
    method: request.method ?? 'GET',
    headers: request.headers,
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${url} returned ${statusCode}: ${text.slice(0, 300)}`);
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
