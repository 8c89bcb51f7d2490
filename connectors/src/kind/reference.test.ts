import { expect, test } from 'vitest';
import { things } from '../../test/scripted.ts';
import { kinds } from '../kinds.ts';
import { describeKind } from './reference.ts';

test('describes entities, actions, params and records from the declaration', () => {
  const reference = describeKind(things);
  expect(reference.authMethods[0]?.fields).toEqual([
    { path: 'key', type: 'string', isRequired: true, isSecret: false, description: '' },
  ]);
  expect(reference.limits).toEqual(['2 requests at once, then 1 per second, for each key']);
  expect(reference.entities).toHaveLength(1);
  expect(
    reference.entities[0]?.actions.map(({ name, params }) => [name, params.map(({ path }) => path)]),
  ).toEqual([
    ['list', ['page', 'size']],
    ['create', ['name']],
  ]);
});

test('describes who may set a setting, and how users choose accounts', () => {
  const reference = describeKind(kinds.find(({ key }) => key === 'google-ads') ?? things);
  expect(reference.settings.map(({ path, audience }) => [path, audience])).toEqual([
    ['customer_id', 'customer'],
    ['start_date', 'customer'],
    ['conversion_window_days', 'integrator'],
    ['api_version', 'integrator'],
    ['access_level', 'integrator'],
  ]);
  expect(reference.accounts).toEqual({
    setting: 'customer_id',
    methods: ['oauth', 'credentials'],
    dailyRequestsPerAccount: expect.any(Number) as number,
  });
  expect(reference.authMethods[0]?.scopes).toEqual(['https://www.googleapis.com/auth/adwords']);
  expect(describeKind(things)).toMatchObject({ accounts: null, access: { reads: [], changes: [] } });
});

test('describes types as prose with their constraints', () => {
  const types = new Map<string, string>();
  for (const { name, actions } of kinds.flatMap(kind => describeKind(kind).entities)) {
    for (const { name: action, params, record } of actions) {
      for (const { path, type } of [...params, ...record]) types.set(`${name}.${action} ${path}`, type);
    }
  }
  expect(types.get('notes.list title')).toBe('string or null');
  expect(types.get('notes.list page_size')).toBe('integer (1 to 30)');
  expect(types.get('notes.list created_after')).toBe('string (YYYY-MM-DD)');
  expect(types.get('calls.list fromDateTime')).toBe('string (ISO 8601 date and time)');
  expect(types.get('labels.create operations')).toBe('array of object (1 to 10000)');
  expect(types.get('labels.create operations[].create.name')).toBe('string (at most 80 characters)');
  expect(types.get('accounts.list customer_id')).toBe('string (^\\d{10}$)');
  expect(types.get('users.list active')).toBe('boolean or null');
});

test.each(kinds.map(kind => [kind.key, kind] as const))(
  'describes every entity and action of %s',
  (_key, kind) => {
    const reference = describeKind(kind);
    expect(reference.entities.map(({ name }) => name)).toEqual(Object.keys(kind.entities));
    for (const entity of reference.entities) {
      expect(entity.description).not.toBe('');
      for (const { record, summary } of entity.actions) {
        expect(summary).not.toBe('');
        expect(record.length).toBeGreaterThan(0);
        expect(record.every(({ type }) => type !== '')).toBe(true);
      }
    }
  },
);

test('shows a recorded call for each action and each search, with all digits of long ids', () => {
  for (const entity of kinds.flatMap(kind => describeKind(kind).entities)) {
    for (const { name, example } of entity.actions) {
      expect(example?.response, `${entity.name}.${name}`).toHaveProperty('result');
    }
    expect(entity.searchExample === null, entity.name).toBe(entity.search === null);
  }
  const advertisers = kinds
    .flatMap(kind => describeKind(kind).entities)
    .find(({ name }) => name === 'advertisers');
  expect(advertisers?.searchExample?.response).toMatchObject({
    result: { data: [{ advertiser_id: 7210046633581101057n }] },
  });
});

test('shows no calls for a kind without recorded calls', () => {
  expect(describeKind(things).entities[0]?.actions[0]?.example).toBeNull();
});
