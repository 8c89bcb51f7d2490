import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDatabase, type TestDatabase } from '../../../test/engines.ts';
import {
  application,
  environmentOf,
  startServiceProcess,
  type ServiceProcess,
} from '../../../test/service-process.ts';
import { until } from '../../../test/until.ts';

/**
 * Ends a leaked application as an operator would, on processes that share one PostgreSQL database: the process that
 * keeps running must reject what ends in the process that restarts.
 */

let place: TestDatabase;
const running = new Set<ServiceProcess>();

interface Pair {
  readonly client_id: string;
  readonly client_secret: string;
}
const leaked: Pair = {
  client_id: application.BOOTSTRAP_CLIENT_ID,
  client_secret: application.BOOTSTRAP_CLIENT_SECRET,
};
const rotated: Pair = { ...leaked, client_secret: 'another-long-secret-for-the-tests' };
const renamed: Pair = { client_id: 'acme-2', client_secret: 'a-third-long-secret-for-the-tests' };

async function start(pair: Pair | null): Promise<ServiceProcess> {
  const variables = pair && {
    ...application,
    BOOTSTRAP_CLIENT_ID: pair.client_id,
    BOOTSTRAP_CLIENT_SECRET: pair.client_secret,
  };
  const process = startServiceProcess({ ...environmentOf(place.location), ...variables });
  running.add(process);
  await process.url;
  return process;
}

async function stop(process: ServiceProcess): Promise<void> {
  process.child.kill('SIGTERM');
  await process.ended;
  running.delete(process);
}

beforeAll(async () => {
  place = await makeDatabase('postgres');
});
afterAll(async () => {
  await Promise.all([...running].map(stop));
  await place.remove();
});

async function post(at: ServiceProcess, path: string, body: object, token?: string): Promise<Response> {
  return fetch(`${await at.url}/api/v1/account/applications/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
}

/** Returns an application token of the pair, and the scoped and widget tokens minted with it. */
async function mintAll(at: ServiceProcess, pair: Pair): Promise<readonly [string, string, string]> {
  const response = await post(at, 'token', pair);
  expect(response.status).toBe(200);
  const { access_token: own } = (await response.json()) as { access_token: string };
  const minted = await Promise.all([
    post(at, 'scoped-token', { customer_name: 'acme' }, own),
    post(at, 'widget-token', { customer_name: 'acme', allowed_origin: 'https://app.example' }, own),
  ]);
  const [scoped, widget] = (await Promise.all(minted.map(one => one.json()))) as { token: string }[];
  return [own, scoped?.token ?? '', widget?.token ?? ''];
}

/** Returns the statuses of a list request with each token. The third token is a widget token. */
async function statusesOf(at: ServiceProcess, tokens: readonly string[]): Promise<number[]> {
  const url = `${await at.url}/api/v1/integrations/connectors`;
  const responses = await Promise.all(
    tokens.map((token, index) =>
      fetch(url, {
        headers: {
          authorization: `Bearer ${token}`,
          ...(index === 2 ? { origin: 'https://app.example' } : {}),
        },
      }),
    ),
  );
  return responses.map(({ status }) => status);
}

async function untilEnded(processes: readonly ServiceProcess[], pair: Pair, tokens: readonly string[]) {
  for (const process of processes) {
    expect((await post(process, 'token', pair)).status).toBe(401);
    await until(async () => expect(await statusesOf(process, tokens)).toEqual([401, 401, 401]));
    expect((await post(process, 'scoped-token', { customer_name: 'acme' }, tokens[0])).status).toBe(401);
  }
}

test('rejects a leaked client secret and its tokens in every process after it is rotated, renamed or removed', async () => {
  const constant = await start(leaked);
  const leakedTokens = await mintAll(constant, leaked);
  expect(await statusesOf(constant, leakedTokens)).toEqual([200, 200, 200]);

  let other = await start(rotated);
  await untilEnded([constant, other], leaked, leakedTokens);
  const rotatedTokens = await mintAll(constant, rotated);
  for (const process of [constant, other])
    expect(await statusesOf(process, rotatedTokens)).toEqual([200, 200, 200]);

  await stop(other);
  other = await start(renamed);
  await untilEnded([constant, other], rotated, rotatedTokens);
  const renamedTokens = await mintAll(constant, renamed);

  await stop(other);
  other = await start(null);
  await untilEnded([constant, other], renamed, renamedTokens);

  // The operator restores the first pair: it works again, its earlier tokens do not.
  await stop(other);
  other = await start(leaked);
  await untilEnded([constant, other], renamed, renamedTokens);
  const restoredTokens = await mintAll(other, leaked);
  for (const process of [constant, other]) {
    expect(await statusesOf(process, leakedTokens)).toEqual([401, 401, 401]);
    expect(await statusesOf(process, restoredTokens)).toEqual([200, 200, 200]);
  }
});
