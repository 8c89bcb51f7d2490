import { once } from 'node:events';
import { createServer, request as send, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@connector-auth/api/client';
import { afterEach, expect, test } from 'vitest';
import { makeDatabase } from './engines.ts';
import { freePort } from './postgres.ts';
import { application, environmentOf, startServiceProcess, type ServiceProcess } from './service-process.ts';
import { until } from './until.ts';

const probeMs = 250;
const requestMs = 20;

const afterwards: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of afterwards.splice(0).toReversed()) await stop();
});

/** A reverse proxy that sends each request once, to the next process whose readiness probe succeeded last. */
async function startProxy(
  ports: readonly number[],
): Promise<{ url: string; readyPorts: () => readonly number[] }> {
  const ready = new Set<number>();
  const closing = new AbortController();
  const probe = async (port: number): Promise<void> => {
    while (!closing.signal.aborted) {
      const isReady = await fetch(`http://127.0.0.1:${port}/readyz`, {
        headers: { connection: 'close' },
      }).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (isReady) ready.add(port);
      else ready.delete(port);
      await delay(probeMs);
    }
  };
  const probing = ports.map(probe);
  let turn = 0;
  const server: Server = createServer((received, response) => {
    const targets = [...ready];
    const port = targets[turn++ % targets.length];
    if (port === undefined) return void response.writeHead(503).end('No process is ready');
    const { method, url, headers } = received;
    const forwarded = send({ host: '127.0.0.1', port, method, path: url, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' });
      answer.pipe(response);
    });
    forwarded.on('error', error => response.writeHead(502).end(String(error)));
    received.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards.push(async () => {
    closing.abort();
    await Promise.all(probing);
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has a port');
  return { url: `http://127.0.0.1:${address.port}`, readyPorts: () => [...ready] };
}

test(
  'restarting three processes one after the other behind a proxy loses none of 50 requests a second',
  { timeout: 600_000 },
  async () => {
    const { location, remove } = await makeDatabase('postgres');
    afterwards.push(remove);
    const ports = [await freePort(), await freePort(), await freePort()];
    const start = (port: number): ServiceProcess =>
      startServiceProcess({
        ...environmentOf(location),
        ...application,
        PORT: String(port),
        DRAIN_SECONDS: '5',
        CONCURRENT_REQUESTS_PER_ADDRESS: '1000',
        CONCURRENT_REQUESTS_PER_CUSTOMER: '1000',
      });
    const processes = ports.map(start);
    afterwards.push(() => {
      for (const { child } of processes) child.kill('SIGKILL');
      return Promise.all(processes.map(({ ended }) => ended));
    });
    for (const { url } of processes) await url;
    const proxy = await startProxy(ports);
    const untilAllReady = () => until(() => expect(proxy.readyPorts()).toHaveLength(ports.length));
    await untilAllReady();

    const responses: Promise<string>[] = [];
    const client = createClient({
      baseUrl: proxy.url,
      clientId: application.BOOTSTRAP_CLIENT_ID,
      clientSecret: application.BOOTSTRAP_CLIENT_SECRET,
    });
    const { token } = await client.tokens.mintScoped({ customer_name: 'acme' });
    const ask = async (): Promise<string> => {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${proxy.url}/api/v1/integrations/connectors`, { headers });
      return response.status === 200 ? '200' : `${response.status} ${await response.text()}`;
    };
    const load = setInterval(() => responses.push(ask().catch(String)), requestMs);
    afterwards.push(() => clearInterval(load));

    for (const [index, port] of ports.entries()) {
      const before = processes[index];
      const sent = responses.length;
      before?.child.kill('SIGTERM');
      expect(await before?.ended).toBe(0);
      // The proxy noticed the drain, so the others served requests meanwhile.
      expect(responses.length).toBeGreaterThan(sent);
      processes[index] = start(port);
      await processes[index].url;
      await untilAllReady();
    }
    clearInterval(load);
    const lost = (await Promise.all(responses)).filter(outcome => outcome !== '200');
    expect(lost).toEqual([]);
    expect(responses.length).toBeGreaterThan(ports.length * 50);
  },
);
