import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createTransport } from '@connector-auth/connectors/kind';
import { Agent } from 'undici';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeDatabase, type TestDatabase } from '../../test/engines.ts';
import { startLargeVendor, type LargeVendor } from '../../test/large-vendor.ts';
import { firstKind } from '../../test/second-kind.ts';
import { startTestService, type TestService } from '../../test/test-service.ts';
import { openDatabase, type Database } from '../database/database.ts';
import { silentLog } from '../log/log.ts';

/** Tests callers that read a large response slowly. This does not depend on SQL, so one engine is enough. */

const connectors = '/api/v1/integrations/connectors';
/** More than the operating system buffers, so that a part stays in the service until the caller reads it. */
const bytes = 32 * 1024 * 1024;

let place: TestDatabase;
let database: Database;
let vendor: LargeVendor;
let vendors: Agent;
let service: TestService;
let token: string;
let connectorId: string;

beforeAll(async () => {
  place = await makeDatabase('postgres');
  database = await openDatabase(place.location, { log: silentLog });
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
afterAll(async () => {
  vi.useRealTimers();
  await service.close();
  await vendors.close();
  await vendor.close();
  await database.close();
  await place.remove();
});

/** Sends an execute with a large response on a new connection, and reads only the first bytes of the response. */
async function requestLargeList(): Promise<{ socket: Socket; first: Buffer; contentLength: number }> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const body = JSON.stringify({ entity: 'notes', action: 'list', params: { page_size: 30 } });
  socket.write(
    [
      `POST ${connectors}/${connectorId}/execute HTTP/1.1`,
      'Host: x',
      'Connection: close',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
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

test.each([
  ['disconnects a caller that reads a large response at less than 256 KiB per second', 1.1, false],
  ['sends a large response completely to a caller that reads at more than 256 KiB per second', 0.9, true],
])('%s', async (_name, part, isComplete) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { socket, first, contentLength } = await requestLargeList();
  expect(contentLength).toBeGreaterThan(bytes / 2);
  // Every caller has 30 s, and another second for each 256 KiB.
  vi.advanceTimersByTime(part * (30_000 + (contentLength / (256 * 1024)) * 1000));
  vi.useRealTimers();
  const length = await readBody(socket, first);
  expect(length === contentLength, `${length} of ${contentLength} bytes`).toBe(isComplete);
});
