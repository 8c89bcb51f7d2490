/** Receivers that respond slowly, never, with garbage, endlessly, or from elsewhere delay no others and lead nowhere. */
import diagnostics from 'node:diagnostics_channel';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { isIP, type AddressInfo, type LookupFunction, type Socket } from 'node:net';
import { systemClock } from '@connector-auth/api';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { keyRing } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { createSealer } from '../../platform/crypto/seal.ts';
import { silentLog } from '../../platform/log/log.ts';
import { openNotifications } from '../../platform/notifications/notifications.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { ChangeCursors } from '../../shared/records/change-cursors.ts';
import { Horizon } from '../../shared/records/horizon.ts';
import { ensureOrganization } from '../../shared/repositories/organizations.ts';
import { insertTestEvent } from './store.ts';
import { createWebhook, readDeliveries } from './webhooks.ts';
import { createMeasures, startWebhookWorker } from './worker.ts';

/** How receivers respond, and what is stored of it. */
const responses: Readonly<Record<string, readonly [(response: ServerResponse) => void, object]>> = {
  slow: [response => void response.writeHead(200).write('a'), { attempts: 1, last_response: null }],
  endless: [
    response => {
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', write).writeHead(200);
      write();
    },
    { state: 'delivered', last_response: 'x'.repeat(1_000) },
  ],
  garbage: [
    response => void response.socket?.end('not HTTP\r\n\r\n'),
    { state: 'pending', last_response: 'The request failed' },
  ],
  redirecting: [
    response => void response.writeHead(307, { location: 'http://10.0.0.1/' }).end(),
    { state: 'pending', last_status: 307 },
  ],
};
/** How many organizations have a receiver that does not respond: more than a process serves at the same time. */
const silentOrganizations = 80;

onPostgresOrEachEngineInFull('hostile receivers', database => {
  let server: Server;
  let port: number;
  /** The addresses to which this process has opened connections. */
  const contacted = new Set<string>();
  const watch = (message: unknown): void => {
    // Node publishes each new socket of a client in this form.
    const { socket } = message as { readonly socket: Socket };
    socket.on('connectionAttempt', (address: string) => {
      // The database has a Unix socket.
      if (isIP(address) !== 0) contacted.add(address);
    });
  };

  beforeAll(async () => {
    diagnostics.subscribe('net.client.socket', watch);
    server = createServer((request, response) => {
      const name = (request.url ?? '').slice(1);
      const [respond] = responses[name] ?? [];
      if (respond !== undefined) respond(response);
      else if (name !== 'silent') response.writeHead(204).end();
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    diagnostics.unsubscribe('net.client.socket', watch);
    server.closeAllConnections();
    server.close();
  });

  test('delay no event of another organization, and lead to no private address', async () => {
    const db = database().kysely;
    let asked = 0;
    // The name leads to this machine once, and then into the network.
    const lookup: LookupFunction = (_hostname, { all }, callback) => {
      asked += 1;
      const address = asked === 1 ? '127.0.0.1' : '169.254.169.254';
      if (all) callback(null, [{ address, family: 4 }]);
      else callback(null, address, 4);
    };
    const notifications = openNotifications(database(), null, silentLog);
    const outbound = createOutbound({
      allowedNetworks: [],
      allowedHosts: null,
      allowsLoopback: true,
      proxyUrl: null,
      lookup,
    });
    const signingKeys = keyRing('signing', 1);
    const context = {
      db,
      sealer: createSealer(keyRing('sealing', 2)),
      outbound,
      notifications,
      changeCursors: new ChangeCursors(signingKeys),
      horizon: new Horizon(db),
      audit: { recordChange: () => {} },
      clock: systemClock,
      log: silentLog,
      measures: createMeasures(new Registry()),
    };
    const add = async (name: string, url: string) => {
      const organizationId = await db.transaction().execute(tx => ensureOrganization(tx, name));
      const { id } = await createWebhook(context, organizationId, { url });
      return { organizationId, id };
    };
    const urlOf = (name: string): string => `http://127.0.0.1:${port}/${name}`;
    type Webhook = Awaited<ReturnType<typeof add>>;
    const sendTo = (webhook: Webhook) => insertTestEvent(db, webhook);
    const lastOf = async (webhook: Webhook) =>
      (await readDeliveries(context, webhook, undefined, { limit: 1, cursor: undefined })).data[0];
    const silent = await Promise.all(
      Array.from({ length: silentOrganizations }, (_, number) => add(`silent ${number}`, urlOf('silent'))),
    );
    const others = await Promise.all(
      Object.entries(responses).map(async ([name, [, expected]]) => ({
        webhook: await add(name, urlOf(name)),
        expected,
      })),
    );
    await Promise.all([...silent, ...others.map(({ webhook }) => webhook)].map(sendTo));
    const moving = await add('moving', `http://localhost:${port}/moving`);
    await sendTo(moving);

    // No attempt ends before the test because of the time.
    const worker = startWebhookWorker(context, 3_600_000);
    const well = await add('well', urlOf('well'));
    for (const webhook of [moving, well, well]) {
      if (webhook === well) await sendTo(well);
      await until(async () => expect((await lastOf(webhook))?.state).toBe('delivered'));
    }
    for (const { webhook, expected } of others) {
      await until(async () => expect(await lastOf(webhook)).toMatchObject(expected));
    }
    // The pooled connection is closed, so the name is resolved again.
    server.closeIdleConnections();
    await sendTo(moving);
    await until(async () => {
      expect(await lastOf(moving)).toMatchObject({ last_response: expect.stringContaining('not public') });
    });
    for (const webhook of silent) {
      expect(await lastOf(webhook)).toMatchObject({ attempts: 1, last_response: null });
    }
    await worker.close();
    await outbound.close();
    await notifications.close();
    expect([...contacted].filter(address => address !== '127.0.0.1')).toEqual([]);
  });
});
