/**
 * Replays the recorded calls of each kind's `examples.json` and compares the responses. `vitest run -u` records
 * them again. To add a call, add its params to the file with `"response": null` first.
 */
import { fileURLToPath } from 'node:url';
import { parseJson, stringifyJson } from '@connector-auth/api';
import { kinds } from '@connector-auth/connectors';
import { readExamples, type Kind } from '@connector-auth/connectors/kind';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from './engines.ts';
import { goodCredentials, untilReady } from './synced-records.ts';
import { startTestService, type TestService } from './test-service.ts';

const path = '/api/v1/integrations/connectors';

/** Limits what is synced, so that the tests take seconds. */
const settings: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'tiktok-marketing': { advertiser_ids: ['7210046633581101057'], start_date: '2026-11-12' },
  'google-ads': { customer_id: ['6120459183'], start_date: '2026-11-12' },
};

/** Order of the actions, so that actions that write do not change what the others return. */
const order = ['search', 'list', 'get', 'create', 'update'];

onPostgresOrEachEngineInFull('recorded examples', database => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await startTestService(database());
    await service.startSync();
    token = await service.tokenOf(await service.addApplication('own', ['Own']));
  });
  afterAll(() => service.close());

  test.each(kinds.map((kind): [string, Kind] => [kind.key, kind]))(
    '%s has an example of every action and every search',
    (_key, kind) => {
      const examples = readExamples(kind);
      expect(Object.keys(examples).toSorted()).toEqual(Object.keys(kind.entities).toSorted());
      for (const [name, { actions, search }] of Object.entries(kind.entities)) {
        const expected = [...Object.keys(actions), ...(search ? ['search'] : [])];
        expect(Object.keys(examples[name] ?? {}).toSorted(), name).toEqual(expected.toSorted());
      }
    },
  );

  test.each(kinds.map((kind): [string, Kind] => [kind.key, kind]))(
    'the sandbox still returns the recorded responses of %s',
    async (key, kind) => {
      const credentials = goodCredentials(service.sandbox, key);
      const created = await service.ask('POST', path, {
        token,
        body: {
          customer_name: 'acme',
          connector_type: key,
          name: key,
          credentials,
          replication_config: settings[key],
        },
      });
      const { id } = await untilReady(service, token, created.body.id);
      const recorded = readExamples(kind);
      const calls = Object.entries(recorded).flatMap(([entity, actions]) =>
        Object.entries(actions).map(([action, { params }]) => ({ entity, action, params })),
      );
      const responses = new Map<string, unknown>();
      for (const call of calls.toSorted((one, other) => rankOf(one.action) - rankOf(other.action))) {
        const { status, body, text } = await service.ask('POST', `${path}/${id}/execute`, {
          token,
          body: call,
        });
        expect(status, `${call.entity}.${call.action}: ${text}`).toBe(200);
        expect(hasContent(body.result), `${call.entity}.${call.action} finds something`).toBe(true);
        responses.set(`${call.entity}.${call.action}`, lasting(shortened(body)));
      }
      const replayed = Object.fromEntries(
        Object.entries(recorded).map(([entity, actions]) => [
          entity,
          Object.fromEntries(
            Object.entries(actions).map(([action, { params }]) => [
              action,
              { params, response: responses.get(`${entity}.${action}`) },
            ]),
          ),
        ]),
      );
      const text = `${stringifyJson(replayed, 2)}\n`;
      for (const secret of Object.values(credentials)) expect(text).not.toContain(secret);
      await expect(text).toMatchFileSnapshot(locationOf(kind));
    },
  );
});

function rankOf(action: string): number {
  return order.indexOf(action);
}

function locationOf({ key, examples }: Kind): string {
  if (!examples) throw new Error(`${key} declares no examples`);
  return fileURLToPath(examples());
}

function hasContent(result: unknown): boolean {
  const { data = result } = result as { data?: unknown };
  return Array.isArray(data) ? data.length > 0 : data !== null;
}

/** Shortens each list to two elements. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}

/** Replaces what differs between two runs: expiry times of signed URLs, cursors of a search, and durations. */
function lasting(response: unknown): unknown {
  const text = stringifyJson(response)
    .replaceAll(/x-expires=\d+/g, 'x-expires=1795176000')
    .replaceAll(/("preview_url_expire_time":)"[^"]*"/g, '$1"2026-11-20 18:00:00"')
    .replaceAll(/("took_ms":)[\d.]+/g, '$14.2')
    .replaceAll(/("last_synced_at":)"[^"]*"/g, '$1"2026-11-20T12:00:00.000Z"')
    .replaceAll(/("cursor":)"[\w-]{40,}\.[\w-]{22}"/g, '$1"cursor-of-the-next-page"');
  return parseJson(text);
}
