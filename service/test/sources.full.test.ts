/** The sources of this repository in a service that loads them by `KINDS`. */
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { startGitHub, token } from '../../sources/github/test/github-vendor.ts';
import { engines, makeDatabase } from './engines.ts';
import { startKillableService } from './service-process.ts';
import { until } from './until.ts';

// Starts several processes, one after the other.
vi.setConfig({ testTimeout: 240_000 });

const sources = join(import.meta.dirname, '../../sources');
const afterwards: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of afterwards.splice(0).toReversed()) await step();
});

test.each(engines)('a source can be connected, read and searched on %s, also after a crash', async engine => {
  const vendor = await startGitHub();
  afterwards.push(() => vendor.server.close());
  const { location, remove } = await makeDatabase(engine);
  afterwards.push(remove);
  const KINDS = ['github', 'hubspot', 'stripe'].map(name => join(sources, name, 'src/index.ts')).join();
  const service = await startKillableService(location, vendor.server.url, { KINDS });
  afterwards.push(() => service.stop());

  const request = { customer_name: 'acme', connector_type: 'GitHub', name: 'GitHub' };
  const rejected = service.client.connectors.create({ ...request, credentials: { access_token: 'other' } });
  await expect(rejected).rejects.toMatchObject({ code: 'credentials_refused' });
  const { id } = await service.client.connectors.create({ ...request, credentials: { access_token: token } });
  const params = { owner: 'octocat', repo: 'hello-world', number: 7 };
  const issue = await service.client.execute(id, { entity: 'issues', action: 'get', params });
  expect(issue.result).toMatchObject({ id: 10_007, title: 'Item 7' });

  await service.kill();
  const search = async (entity: string, query: object) => {
    const found = await service.client.execute(id, {
      entity,
      action: 'search',
      params: { query, limit: 1_000 },
    });
    return (found.result as { readonly data: readonly Readonly<Record<string, unknown>>[] }).data;
  };
  await until(async () => expect(await search('issues', {})).toHaveLength(205));
  await until(async () => expect(await search('pull_requests', {})).toHaveLength(102));
  await until(async () => expect(await search('repositories', {})).toHaveLength(3));
  const filter = { eq: { state: 'open' }, like: { title: 'item 2__' }, lt: { created_at: '2026-07-24' } };
  const found = await search('issues', { filter, sort: 'number' });
  expect(found.map(({ number }) => number)).toEqual([200, 202]);

  vendor.repositories[0]?.issues.splice(0, 5);
  await service.client.connectors.sync(id);
  await until(async () => expect(await search('issues', {})).toHaveLength(200));
  expect(vendor.server.problems).toEqual([]);
});
