import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createTransport } from '@connector-auth/connectors/kind';
import { sql } from 'kysely';
import { Agent } from 'undici';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeDatabase, type TestDatabase, openTestDatabase } from '../../../test/engines.ts';
import { startLargeVendor, type LargeVendor } from '../../../test/large-vendor.ts';
import { firstKind } from '../../../test/second-kind.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';
import { type Database } from '../../platform/database/database.ts';

/** Tests callers that read a large response slowly. This does not depend on SQL, so one engine is enough. */

const connectors = '/api/v1/integrations/connectors';
/** More than the operating system buffers, so that a part stays in the service until the caller reads it. */
const bytes = 12 * 1024 * 1024;

let place: TestDatabase;
let database: Database;
let vendor: LargeVendor;
let vendors: Agent;
let service: TestService;
let token: string;
let connectorId: string;

// A service of its own for each test: a timer that it sets while timers are faked never fires again.
beforeEach(async () => {
  place = await makeDatabase('postgres');
  database = await openTestDatabase(place.location);
  vendor = await startLargeVendor(bytes);
  vendors = new Agent();
  const transport = createTransport({ sandboxUrl: vendor.url, dispatcher: vendors });
  service = await startTestService(database, { kinds: [firstKind], transport });
  token = await service.tokenOf(await service.addApplication('own', ['Own']));
  const created = await service.ask('POST', connectors, {
    token,
    body: {
      customer_name: 'acme',
      connector_type: firstKind.key,
      name: 'Notes',
      credentials: { api_key: 'grn_key' },
    },
  });
  connectorId = created.body.id;
});
afterEach(async () => {
  vi.useRealTimers();
  await service.close();
  await vendors.close();
  await vendor.close();
  await database.close();
  await place.remove();
});

interface LargeResponse {
  readonly socket: Socket;
  readonly first: Buffer;
  readonly contentLength: number;
}

/** Sends a request on a new connection, and reads only the first bytes of the large response. */
async function requestLarge(start: string, bearer: string, body = ''): Promise<LargeResponse> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    [
      `${start} HTTP/1.1`,
      'Host: x',
      'Connection: close',
      `Authorization: Bearer ${bearer}`,
      ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
      '',
      body,
    ].join('\r\n'),
  );
  await once(socket, 'readable');
  // A socket without an encoding reads buffers.
  const first = socket.read() as Buffer;
  const head = first.subarray(0, first.indexOf('\r\n\r\n')).toString();
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  return { socket, first, contentLength: Number(/content-length: (\d+)/i.exec(head)?.[1]) };
}

/** Reads the rest until the connection is closed. Returns the length of the body. */
async function readBody(socket: Socket, first: Buffer): Promise<number> {
  let length = first.length - first.indexOf('\r\n\r\n') - 4;
  const closed = Promise.withResolvers<void>();
  socket.on('data', (chunk: Buffer) => {
    length += chunk.length;
  });
  // A connection that is cut off can end with a reset.
  socket.on('error', () => {});
  socket.on('close', () => closed.resolve());
  socket.resume();
  await closed.promise;
  return length;
}

async function requestLargeList(): Promise<LargeResponse> {
  const body = JSON.stringify({ entity: 'notes', action: 'list', params: { page_size: 30 } });
  return requestLarge(`POST ${connectors}/${connectorId}/execute`, token, body);
}

async function requestLargeExport(): Promise<LargeResponse> {
  const text = sql`repeat('語', 200)`;
  await sql`
    insert into audit_entries
      (at, actor_type, actor_id, actor_name, token_id, customer_name, kind, entity, action, target_id, outcome)
    select now(), 'service', ${text}, ${text}, ${text}, ${text}, ${text}, ${text}, ${text}, ${text}, 'ok'
    from generate_series(1, 2500)`.execute(database.kysely);
  return requestLarge('GET /api/v1/admin/audit/export', adminToken);
}

test.each([
  [
    'disconnects a caller that reads a large response at less than 256 KiB per second',
    requestLargeList,
    1.1,
    false,
  ],
  [
    'disconnects a caller that reads an export at less than 256 KiB per second',
    requestLargeExport,
    1.1,
    false,
  ],
  [
    'sends a large response completely to a caller that reads at more than 256 KiB per second',
    requestLargeList,
    0.9,
    true,
  ],
])('%s', async (_name, requestIt, part, isComplete) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { socket, first, contentLength } = await requestIt();
  expect(contentLength).toBeGreaterThan(bytes / 2);
  // Every caller has 30 s, and another second for each 256 KiB.
  vi.advanceTimersByTime(part * (30_000 + (contentLength / (256 * 1024)) * 1000));
  vi.useRealTimers();
  const length = await readBody(socket, first);
  expect(length === contentLength, `${length} of ${contentLength} bytes`).toBe(isComplete);
});
