import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDatabase, type TestDatabase, openTestDatabase } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { addScript, scriptedKind, type Script, type Scripts } from '../../../test/scripted-kind.ts';
import { firstKind } from '../../../test/second-kind.ts';
import { storedRecords, untilReady } from '../../../test/synced-records.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { type Database } from '../../platform/database/database.ts';

/** Two processes on one PostgreSQL server. An operator uses one of them, and everyone else the other. */

const path = '/api/v1/integrations/connectors';
const scripts: Scripts = new Map();
const kind = {
  ...scriptedKind(scripts),
  entities: { ...firstKind.entities, ...scriptedKind(scripts).entities },
};
let place: TestDatabase;
let databases: readonly [Database, Database];
let service: TestService;
let console: TestService;
let token: string;
beforeAll(async () => {
  place = await makeDatabase('postgres');
  databases = [await openTestDatabase(place.location), await openTestDatabase(place.location)];
  if (!('databaseUrl' in place.location)) throw new Error('PostgreSQL has a URL');
  const options = { kinds: [kind], databaseUrl: place.location.databaseUrl };
  service = await startTestService(databases[0], options);
  console = await startTestService(databases[1], { ...options, sandbox: service.sandbox });
  token = await service.tokenOf(await service.addApplication('own', ['Own']));
});
afterAll(async () => {
  await console.close();
  await service.close();
  await Promise.all(databases.map(database => database.close()));
  await place.remove();
});

const create = async (script: string): Promise<string> => {
  const body = {
    customer_name: 'acme',
    connector_type: kind.key,
    name: script,
    credentials: { api_key: goodKey },
    replication_config: { script },
  };
  const response = await service.ask('POST', path, { token, body });
  expect(response.status, response.text).toBe(201);
  return response.body.id;
};
const stops = {
  disabled: async (id: string): Promise<void> => {
    const address = `/api/v1/admin/connectors/${id}/disable`;
    expect((await console.ask('POST', address, { token: adminToken })).status).toBe(200);
  },
  frozen: async (id: string): Promise<void> => {
    await sql`update connectors set incident_id = gen_random_uuid() where id = ${id}`.execute(
      databases[1].kysely,
    );
  },
  deleted: async (id: string): Promise<void> => {
    expect((await console.ask('DELETE', `${path}/${id}?undo_seconds=60`, { token })).status).toBe(204);
  },
};
const codes = {
  disabled: 'connector_disabled',
  frozen: 'connector_frozen',
  deleted: 'connector_not_found',
};
const allow = async (id: string): Promise<void> => {
  expect((await console.ask('POST', `${path}/${id}/restore`, { token })).status).toBeLessThan(404);
  await sql`update connectors set incident_id = null where id = ${id}`.execute(databases[1].kysely);
  const address = `/api/v1/admin/connectors/${id}/enable`;
  expect((await console.ask('POST', address, { token: adminToken })).status).toBe(200);
};
const execute = (id: string) =>
  service.ask('POST', `${path}/${id}/execute`, { token, body: { entity: 'notes', action: 'list' } });

/** Adds a script that waits before its second page. */
function heldScript(name: string, pages: readonly (readonly number[])[]) {
  const opened = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const script: Script = addScript(scripts, name, 'things', {
    pages,
    before: page => {
      if (page !== 1 || script.runs.length > 1) return;
      reached.resolve();
      return opened.promise;
    },
  });
  return { script, open: () => opened.resolve(), reached: reached.promise };
}

test.each(Object.keys(stops) as (keyof typeof stops)[])(
  'a connector that is %s in one process is rejected in another, and works again when it is enabled',
  async status => {
    const id = await create('unused');
    expect((await execute(id)).status).toBe(200);
    await stops[status](id);
    // The other process has the connector's row in memory until it is notified.
    await until(async () => expect((await execute(id)).body.code).toBe(codes[status]));
    await allow(id);
    await until(async () => expect((await execute(id)).status).toBe(200));
  },
);

test.each(Object.keys(stops) as (keyof typeof stops)[])(
  'a time slice in another process stops while it waits for a page when its connector is %s',
  async status => {
    const name = `waiting ${status}`;
    const { script, open, reached } = heldScript(name, [[1], [2]]);
    const ends: string[] = [];
    const id = await create(name);
    const worker = await service.startSync({
      leaseSeconds: 600,
      onSliceEnd: ({ connectorId, entity }, end) => {
        if (connectorId === id && entity === 'things') ends.push(end);
      },
    });
    await reached;
    const stored = () => storedRecords(databases[0].kysely, kind, 'things', id);
    await until(async () => expect(await stored()).toHaveLength(1));
    await stops[status](id);
    // The vendor has not responded yet, and the lease is not extended within the test.
    await until(() => expect(ends).toEqual(['lost']));
    open();
    expect(await stored()).toHaveLength(1);
    await allow(id);
    await untilReady(service, token, id);
    expect(await stored()).toHaveLength(2);
    expect(script.runs.map(({ position }) => position)).toEqual([null, { next: 1 }]);
    await worker.close();
  },
);

test.each(Object.keys(stops) as (keyof typeof stops)[])(
  'another process does not store a page that arrives when its connector is %s',
  async status => {
    const name = `arriving ${status}`;
    const { open, reached } = heldScript(name, [[1], [2]]);
    const ended = Promise.withResolvers<string>();
    const id = await create(name);
    const worker = await service.startSync({
      onSliceEnd: ({ connectorId, entity }, end) => {
        if (connectorId === id && entity === 'things') ended.resolve(end);
      },
    });
    await reached;
    const stored = () => storedRecords(databases[0].kysely, kind, 'things', id);
    await until(async () => expect(await stored()).toHaveLength(1));
    await stops[status](id);
    open();
    expect(await ended.promise).toBe('lost');
    expect(await stored()).toHaveLength(1);
    await worker.close();
  },
);
