import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { makeDatabase, type TestDatabase } from './engines.ts';
import { startLargeVendor, type LargeVendor } from './large-vendor.ts';
import { application, environmentOf, startServiceProcess, type ServiceProcess } from './service-process.ts';

// 1.7 GB of JSON pass through the service.
vi.setConfig({ testTimeout: 600_000 });

const connectors = '/api/v1/integrations/connectors';

describe('large vendor responses', () => {
  const MiB = 1024 * 1024;
  const responses = { count: 70, bytes: 24 * MiB };
  let database: TestDatabase;
  let service: ServiceProcess;
  let vendor: LargeVendor;
  afterEach(async () => {
    service.child.kill('SIGKILL');
    await service.ended;
    await vendor.close();
    await database.remove();
  });

  const send = async (method: string, path: string, token: string | null, body?: object) => {
    const response = await fetch(`${await service.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, text: await response.text() };
  };

  test.each([
    { engine: 'postgres', customers: 10, isChunked: true },
    { engine: 'postgres', customers: 1, isChunked: false },
    { engine: 'pglite', customers: 10, isChunked: true },
  ] as const)(
    'uses bounded memory for large responses to $customers customers on $engine (chunked: $isChunked)',
    async ({ engine, customers, isChunked }) => {
      database = await makeDatabase(engine);
      vendor = await startLargeVendor(responses.bytes, { isChunked });
      service = startServiceProcess({
        ...environmentOf(database.location),
        ...application,
        SANDBOX_URL: vendor.url,
        VENDOR_RATE_LIMITS: 'off',
        CONCURRENT_EXECUTES_PER_CUSTOMER: '100',
      });
      const { text } = await send('POST', '/api/v1/account/applications/token', null, {
        client_id: application.BOOTSTRAP_CLIENT_ID,
        client_secret: application.BOOTSTRAP_CLIENT_SECRET,
      });
      const token = (JSON.parse(text) as { access_token: string }).access_token;
      const ids: string[] = [];
      for (let customer = 0; customer < customers; customer += 1) {
        const created = await send('POST', connectors, token, {
          customer_name: `customer ${customer}`,
          connector_type: 'granola',
          name: 'Notes',
          credentials: { api_key: 'grn_key' },
        });
        ids.push((JSON.parse(created.text) as { id: string }).id);
      }
      const watch = watchProcess(service);
      const body = { entity: 'notes', action: 'list', params: { page_size: 30 } };
      const statuses = await Promise.all(
        Array.from({ length: responses.count }, async (_, index) => {
          const path = `${connectors}/${ids[index % customers]}/execute`;
          const { status, text } = await send('POST', path, token, body);
          return `${status} ${status === 200 ? '' : text}`;
        }),
      );
      const { maxRssMiB, slowestMs } = await watch.stop();
      for (const status of statuses) expect(status).toMatch(/^200 $|"rate_limited"/);
      expect(statuses.filter(status => status === '200 ').length).toBeGreaterThan(responses.count / 10);
      expect(maxRssMiB).toBeLessThan(1024);
      // Only detects a blocked event loop; the machine may be busy.
      expect(slowestMs).toBeLessThan(10_000);
    },
  );
});

/** Measures the resident memory of a process and how long its health probe takes, until it is stopped. */
function watchProcess({ child, url }: ServiceProcess) {
  let maxRssMiB = 0;
  let slowestMs = 0;
  const stopped = new AbortController();
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      const startedAt = performance.now();
      expect((await fetch(`${await url}/healthz`)).status).toBe(200);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      maxRssMiB = Math.max(maxRssMiB, await residentMiB(child.pid));
    }
  })();
  return {
    stop: async () => {
      stopped.abort();
      await watching;
      return { maxRssMiB, slowestMs };
    },
  };
}

async function residentMiB(pid: number | undefined): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1024;
}
