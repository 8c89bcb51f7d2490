/** A source that is right passes all checks on its recording, and each mistake fails one of them. */
import { ConnectorAuthError, stringifyJson } from '@connector-auth/api';
import { createTransport, type Entity, type Kind, type Sync } from '@connector-auth/connectors/kind';
import { afterAll, beforeAll, expect, test } from 'vitest';
import acme from '../../connectors/examples/acme-crm.ts';
import { acmeKey, startAcmeVendor, type AcmeVendor } from '../../connectors/test/acme-vendor.ts';
import { readGrant } from '../src/credentials.ts';
import { capture } from '../src/record.ts';
import type { Recording } from '../src/recording.ts';
import { findProblems } from './sandbox-recordings.ts';

const kind: Kind = acme;
let vendor: AcmeVendor;
let recording: Recording;
beforeAll(async () => {
  vendor = await startAcmeVendor();
  recording = await recordAcme([]);
});
afterAll(() => vendor.close());

async function recordAcme(kept: readonly string[], params: Record<string, Record<string, unknown>> = {}) {
  const grant = readGrant(kind, { ACME_CRM_API_KEY: acmeKey }, {});
  if (grant === null) throw new Error('The key is missing');
  const captured = await capture({
    kind,
    grant,
    app: null,
    transport: createTransport({ sandboxUrl: vendor.url }),
    nowMs: Date.parse('2026-03-01T00:00:00Z'),
    origin: 'sandbox',
    params,
    maxPages: 50,
  });
  expect(captured.notes).toEqual([]);
  const recorded = await captured.replace(kept.length > 0 ? kept : await captured.neededFields());
  if (recorded === null) throw new Error('The source does something else with the replaced values');
  return recorded;
}

test('the example passes all checks', async () => {
  expect(await findProblems(kind, recording)).toEqual([
    expect.objectContaining({ call: 'contacts.create', outcome: 'unproven' }),
    expect.objectContaining({ call: 'contacts.update', outcome: 'unproven' }),
    expect.objectContaining({ call: 'deals.create', outcome: 'unproven' }),
    expect.objectContaining({ call: 'deals.update', outcome: 'unproven' }),
  ]);
});

test('a recording has no value of the vendor, except in fields that are kept', async () => {
  const text = stringifyJson(recording);
  for (const value of ['Ada', 'Grace', acmeKey, '2026-01-01T00', '922337203685477580', '99.5']) {
    expect(text).not.toContain(value);
  }
  const named = stringifyJson(await recordAcme([...recording.kept, 'name']));
  expect(named).toContain('Ada');
  expect(named).not.toContain('2026-01-01T00');
});

test('actions that change data are recorded after everything else, which they would change', async () => {
  const before = vendor.count();
  const { calls } = await recordAcme(recording.kept, { 'contacts.create': { name: 'New' } });
  expect(calls.at(-1)).toMatchObject({ entity: 'contacts', action: 'create' });
  const reads = vendor.requests.slice(before).filter(request => !request.startsWith('GET /me'));
  expect(reads.at(-1)).toMatch(/^POST /);
});

test('replaced values are of the same kind, and equal ones stay equal', () => {
  const contacts = recording.exchanges.flatMap(({ request, response }) =>
    request.url.endsWith('/contacts') ? (response.body as { data: Record<string, unknown>[] }).data : [],
  );
  const [first] = contacts;
  expect(first).toMatchObject({
    id: expect.stringMatching(/^[a-z]\d$/),
    name: expect.stringMatching(/^[A-Z][a-z]{2}$/),
    updated_at: expect.stringMatching(/^20\d\d-\d\d-\d\dT00:00:00\.000Z$/),
  });
  const ids = new Set(contacts.map(({ id }) => id));
  expect(ids.size).toBe(5);
  expect(
    recording.exchanges.some(({ request }) => request.url.endsWith(`/contacts/${String(first?.['id'])}`)),
  ).toBe(true);
});

/** Replaces parts of the entity `contacts`. */
function withContacts(change: (contacts: Entity) => Entity): Kind {
  const { contacts } = kind.entities;
  if (contacts === undefined) throw new Error('The kind has no contacts');
  return { ...kind, entities: { ...kind.entities, contacts: change(contacts) } };
}

function withList(change: (result: readonly Record<string, unknown>[]) => unknown): Kind {
  return withContacts(contacts => {
    const { list } = contacts.actions;
    if (list === undefined) throw new Error('Contacts have no list');
    const run: typeof list.run = async (params, used) => {
      const outcome = await list.run(params, used);
      return { ...outcome, result: change(outcome.result as Record<string, unknown>[]) };
    };
    return { ...contacts, actions: { ...contacts.actions, list: { ...list, run } } };
  });
}

function withSync(change: (sync: Sync) => Sync['run']): Kind {
  return withContacts(contacts => {
    const { search } = contacts;
    if (search === undefined) throw new Error('Contacts have no search');
    return { ...contacts, search: { ...search, sync: { ...search.sync, run: change(search.sync) } } };
  });
}

const mistakes: readonly (readonly [string, () => Kind, string, string])[] = [
  [
    'another field',
    () => withList(records => records.map(record => ({ ...record, name: record['id'] }))),
    'contacts.list replays as recorded',
    'The vendor sent name: "',
  ],
  [
    'a value of another type',
    () => withList(records => records.map(record => ({ ...record, score: String(record['score']) }))),
    'contacts.list returns what it declares',
    'Expected: Invalid input',
  ],
  [
    'other values in search than in list',
    () =>
      withSync(
        sync =>
          async function* (used, start) {
            for await (const page of sync.run(used, start)) {
              yield { ...page, records: page.records.map(record => ({ ...record, score: 7 })) };
            }
          },
      ),
    'contacts.list has the same record in list, get and search',
    'score: 7 in search',
  ],
  [
    'a position that skips a page',
    () =>
      withSync(
        sync =>
          async function* (used, start) {
            const pages = [];
            for await (const page of sync.run(used, { ...start, position: null })) pages.push(page);
            const from = start.position === null ? 0 : Number(start.position) + 2;
            for (const [index, page] of pages.entries()) {
              if (index >= from) yield { ...page, position: page.position === null ? null : index };
            }
          },
      ),
    'contacts.sync resumes after every page',
    'when it was interrupted after each page',
  ],
  [
    'pages without end',
    () =>
      withSync(
        () =>
          async function* (used) {
            for (let page = 1; ; page++) {
              await used.send({
                method: 'GET',
                url: 'https://api.acme-crm.example/v1/contacts',
                query: { limit: 100 },
              });
              yield { records: [], position: page };
            }
          },
      ),
    'contacts.sync ends if the vendor repeats a page',
    'instead of requests without end',
  ],
  [
    'a full sync without records after a malformed response',
    () =>
      withSync(
        sync =>
          async function* (used, start) {
            try {
              yield* sync.run(used, start);
            } catch (error) {
              if (!(error instanceof ConnectorAuthError)) throw error;
              yield { records: [], position: null };
            }
          },
      ),
    'contacts.sync withstands malformed and empty responses',
    'deletes the 5 that are stored',
  ],
  [
    'a stack that overflows',
    () =>
      withList(records => {
        const all: unknown[] = [];
        const grow = (...added: unknown[]): number =>
          added.length > 10_000 ? grow(...added, ...added) : all.push(...added);
        grow(...records);
        return all;
      }),
    'contacts.list reads a page of 20,000 records',
    'overflows the stack',
  ],
  [
    'credentials that are reported as a failure of the vendor',
    () => ({ ...kind, readFailure: ({ status }) => (status < 400 ? null : { kind: 'vendor' }) }),
    'contacts.sync reports rejected credentials',
    '`readFailure` has to return `credentials`',
  ],
  [
    'a secret in the records',
    () => withList(records => records.map(record => ({ ...record, key: 'Zq7x-api-key-Zq7x' }))),
    'contacts.list lets no secret out',
    'records, positions and metadata with a secret',
  ],
];

test.each(mistakes)('%s fails a check', async (_name, make, check, message) => {
  const problems = await findProblems(make(), recording);
  const found = problems.filter(
    ({ outcome, call, check: title }) => outcome === 'failed' && `${call} ${title}` === check,
  );
  expect(found, JSON.stringify(problems, null, 2)).toHaveLength(1);
  expect(found[0]?.message).toContain(message);
});
