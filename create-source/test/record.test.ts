/** What is recorded of a vendor can be played, and has nothing of the customer. */
import { stringifyJson } from '@connector-auth/api';
import { asObject, defineKind, type Grant, type Kind, type Transport } from '@connector-auth/connectors/kind';
import {
  apiKey,
  checkBy,
  failures,
  fetchPage,
  get,
  list,
  search,
  syncAll,
  type Api,
} from '@connector-auth/connectors/rest';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { capture } from '../src/record.ts';
import { findProblems, recordFromCapture } from './sandbox-recordings.ts';

/** Declares projects, and tasks within each of them. */
function kindAt(url: Api['url']): Kind {
  const api = { name: 'Things', url };
  const projects = {
    api,
    noun: 'project',
    path: '/projects',
    record: z.object({ id: z.string(), owner: z.string().nullable() }),
    at: 'projects',
  };
  const tasks = {
    api,
    noun: 'task',
    path: '/projects/{project}/tasks',
    record: z.object({ id: z.string(), project: z.string().nullable() }),
    at: 'tasks',
  };
  return defineKind({
    key: 'things',
    name: api.name,
    definitionId: '00000000-0000-4000-8000-000000000001',
    description: 'Things',
    supportLevel: 'community',
    icon: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"/>',
    environmentPrefix: 'OAUTH_THINGS',
    hosts: ['*.things.example'],
    authMethods: [
      apiKey({ in: { header: 'x-key' }, description: 'A key', helpUrl: 'https://things.example' }),
    ],
    settings: z.strictObject({ site: z.string().optional() }),
    rateLimits: [],
    fullSyncCallsPerHour: 0,
    entities: {
      projects: {
        description: 'Projects',
        actions: { list: list(projects), get: get(projects) },
        search: search(projects, { sync: syncAll(projects) }),
      },
      tasks: {
        description: 'Tasks',
        actions: { list: list(tasks, { params: { project: z.string() } }) },
        search: search(tasks, {
          sync: syncAll(tasks, {
            within: async vendor =>
              (await fetchPage(projects, vendor, {}, null)).records.map(wire => ({
                project: String(asObject(wire)['id']),
              })),
          }),
        }),
      },
    },
    check: checkBy(api, { entity: 'projects', path: '/projects' }),
    readFailure: failures(),
  });
}

const ids = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];

/** Answers as a vendor with a host for each customer, who has a key that ends with the first part of the host. */
function vendorAt(host: string): Transport {
  return async ({ url, headers }) => {
    const { host: asked, pathname } = new URL(url);
    if (asked !== host) throw new Error(`There is no host ${asked}`);
    if (headers?.['x-key'] !== 'b0a2f7-acme') return { status: 401, headers: {}, body: {} };
    const [, , project, part] = pathname.split('/');
    const projects = ids.map(id => ({
      id,
      echo: headers['x-key'],
      owner: `/people/${id}/about`,
      page: `https://${host}/projects/${id}`,
    }));
    const tasks = [1, 2].map(number => ({ id: `${project ?? ''}-task-${number}`, project }));
    const found = projects.find(({ id }) => id === project);
    return { status: 200, headers: {}, body: part === 'tasks' ? { tasks } : (found ?? { projects }) };
  };
}

function captureFrom(kind: Kind, settings: Grant['settings']) {
  return capture({
    kind,
    grant: { method: 'api_key', credentials: { api_key: 'b0a2f7-acme' }, state: {}, settings },
    app: null,
    transport: vendorAt('acme.things.example'),
    nowMs: Date.parse('2026-03-01T00:00:00Z'),
    origin: 'sandbox',
    params: { 'tasks.list': { project: 'beta' } },
    maxPages: 50,
  });
}

test.each([
  [
    'a setting',
    ({ settings }: Grant) => `https://${String(settings['site'])}`,
    { site: 'acme.things.example' },
  ],
  [
    'the key',
    ({ credentials }: Grant) => `https://${String(credentials['api_key']).split('-').at(-1)}.things.example`,
    {},
  ],
])('lists within others keep their records, also if the host comes from %s', async (_what, url, settings) => {
  const kind = kindAt(url);
  const recording = await recordFromCapture(await captureFrom(kind, settings));
  const lists = recording.exchanges.filter(({ request }) => request.url.endsWith('/tasks'));
  expect(lists).toHaveLength(ids.length);
  for (const { request, response } of lists) {
    const project = request.url.split('/').at(-2);
    expect(response.body).toMatchObject({ tasks: [{ project }, { project }] });
  }
  // Of paths, only the words of the kind stay.
  expect(stringifyJson(recording)).not.toMatch(/acme|b0a2f7|people|about|alpha|beta|gamma/);
  expect(recording.kept).toEqual([]);
  expect(recording.exchanges[0]?.response.body).toMatchObject({
    projects: expect.arrayContaining([
      expect.objectContaining({
        page: expect.stringMatching(/^https:\/\/[a-z]{4}\.things\.example\/projects\/[a-z]{5}$/),
      }),
    ]),
  });
  expect(await findProblems(kind, recording)).toMatchObject(
    // One page of each list is too little to show that syncs of projects resume.
    [{ call: 'projects.sync', check: 'resumes after every page', outcome: 'unproven' }],
  );
});

test('a credential in a kept field is named', async () => {
  const captured = await captureFrom(
    kindAt(({ settings }) => `https://${String(settings['site'])}`),
    { site: 'acme.things.example' },
  );
  await expect(captured.replace(['echo'])).rejects.toThrow(
    'The recording would contain a credential in `exchanges.0.response.body.projects.0.echo`',
  );
});
