import { expect, test } from 'vitest';
import { z } from 'zod';
import { things } from '../../test/scripted.ts';
import { kinds } from '../kinds.ts';
import { checkDeclaration, findDuplicates } from './check-declaration.ts';
import type { Kind } from './kind.ts';

const svg = (content: string, attributes = 'viewBox="0 0 8 8"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`;

const valid: Kind = {
  ...things,
  icon: svg('<path d="M1 1h6"/>'),
  environmentPrefix: 'OAUTH_THINGS',
  entities: {
    ...things.entities,
    parts: {
      description: 'Parts',
      actions: {
        list: {
          summary: 'List parts',
          params: z.strictObject({}),
          record: z.object({
            id: z.string(),
            'owner.name': z.string(),
            size: z.object({ width: z.number() }),
          }),
          run: () => Promise.resolve({ result: [], connector_metadata: null }),
        },
      },
      search: {
        fields: { id: 'string', 'owner.name': 'string', 'size.width': 'number' },
        primaryKey: ['id'],
        indexed: ['size.width'],
        text: ['owner.name'],
        sync: { incremental: false, run: async function* () {} },
      },
    },
  },
};

function withSearch(changes: object): unknown {
  const { parts } = valid.entities;
  const changed = { ...parts, search: { ...parts?.search, ...changes } };
  return { ...valid, entities: { ...valid.entities, parts: changed } };
}

test.each([...kinds, valid].map(kind => [kind.key, kind] as const))('accepts %s', (_key, kind) => {
  expect(checkDeclaration(kind)).toEqual([]);
});

test('reports everything that is wrong with the members at once', () => {
  const { description: _description, ...rest } = valid;
  const [method] = valid.authMethods;
  expect(
    checkDeclaration({
      ...rest,
      key: 'My Source',
      definitionId: '1',
      hosts: ['*', '*.com', 'https://a.example', '10.0.0.1', '*.example.com', 'api.example.com:8443'],
      authMethods: [{ ...method, fields: { type: 'object' }, title: ' ' }],
      readFailure: null,
    }),
  ).toEqual([
    { path: 'key', message: 'Must be lower-case words joined by -' },
    { path: 'definitionId', message: expect.stringContaining('crypto.randomUUID()') as string },
    { path: 'description', message: 'Must be a text in English' },
    ...[0, 1, 2, 3].map(index => ({
      path: `hosts.${index}`,
      message: 'Must be a host name such as api.example.com, or *.example.com for its subdomains',
    })),
    { path: 'authMethods.0.title', message: 'Must be a text in English' },
    { path: 'authMethods.0.fields', message: 'Must be an object schema of Zod 4, such as z.strictObject' },
    { path: 'readFailure', message: 'Must be a function' },
  ]);
  expect(checkDeclaration(undefined)).toEqual([{ path: '', message: 'Must be a kind, from defineKind' }]);
});

test('rejects hosts whose subdomains belong to anyone', () => {
  const issuesOf = (...hosts: string[]) =>
    checkDeclaration({ ...valid, hosts: ['api.example.com', ...hosts] }).map(({ path }) => path);
  expect(issuesOf('*.co.uk', '*.github.io', '*.pages.dev:8443')).toEqual(['hosts.1', 'hosts.2', 'hosts.3']);
  expect(issuesOf('*.example.co.uk', '*.me.github.io', 'me.github.io')).toEqual([]);
  // The domain is the vendor's own if it is also listed by itself. That of a registry belongs to no vendor.
  expect(issuesOf('*.myshopify.com', 'myshopify.com')).toEqual([]);
  expect(issuesOf('*.co.uk', 'co.uk')).toEqual(['hosts.1']);
});

test.each<[string, object, string, string]>([
  [
    'a field that PostgreSQL reserves',
    { fields: { id: 'string', xmin: 'string' } },
    'fields.xmin',
    'Cannot be a column',
  ],
  [
    'a field that the service reserves',
    { fields: { id: 'string', $connector: 'string' } },
    'fields.$connector',
    'Cannot be',
  ],
  [
    'a field that no record has',
    { fields: { id: 'string', colour: 'string' } },
    'fields.colour',
    'Is not in the record',
  ],
  ['a key that is not a field', { primaryKey: ['ID'] }, 'primaryKey', 'ID is not one of the fields'],
  ['a key of another type', { primaryKey: ['size.width'] }, 'primaryKey', 'size.width is of type number'],
  ['text that is none', { text: ['size.width'] }, 'text', 'it must be string'],
])('rejects %s', (_name, changes, path, message) => {
  const whole = { indexed: [], text: [], ...changes };
  expect(checkDeclaration(withSearch(whole))).toEqual([
    { path: `entities.parts.search.${path}`, message: expect.stringContaining(message) as string },
  ]);
});

test.each([
  [svg('<script>alert(1)</script>'), 'remove the element <script>'],
  [svg('<path d="M0 0" onclick="alert(1)"/>'), 'remove the attribute onclick'],
  [svg('<g><a href="https://evil.example"/></g>'), 'remove the element <a>'],
  [svg('<path d="M0 0" fill="url(https://evil.example/x)"/>'), 'must not refer to a URL'],
  [svg('<path d="M0 0" style="fill:red"/>'), 'remove the attribute style'],
  [svg('<!-- --><image href="x"/>'), 'remove the element <image>'],
  [svg('<!DOCTYPE svg [<!ENTITY a "b">]>'), 'Is not safe'],
  [svg('<path/>', 'viewBox="0 0 8 9"'), 'Must be square'],
  ['<html></html>', 'Must be an SVG document'],
])('rejects the icon %s', (icon, message) => {
  expect(checkDeclaration({ ...valid, icon })).toEqual([
    { path: 'icon', message: expect.stringContaining(message) as string },
  ]);
});

test('accepts an icon with a gradient of its own', () => {
  const gradient = '<defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient></defs>';
  expect(
    checkDeclaration({ ...valid, icon: svg(`${gradient}<rect width="8" height="8" fill="url(#a)"/>`) }),
  ).toEqual([]);
});

test('rejects an entity whose name is taken or cannot be part of a table', () => {
  const { parts } = valid.entities;
  const issues = checkDeclaration({
    ...valid,
    entities: { ...things.entities, execute: parts, 'Big Parts': parts },
  });
  expect(issues.map(({ path }) => path)).toEqual(['entities.execute', 'entities.Big Parts']);
});

test('finds what two kinds share, also under another spelling', () => {
  const other: Kind = {
    ...valid,
    key: 'other',
    name: 'Other',
    definitionId: crypto.randomUUID(),
    environmentPrefix: 'OAUTH_O',
  };
  const paths = (kind: Kind) => findDuplicates(kind, valid).map(({ path }) => path);
  expect(paths(other)).toEqual([]);
  expect(paths({ ...other, name: `${valid.key.toUpperCase()} ` })).toEqual(['name']);
  expect(paths({ ...other, definitionId: valid.definitionId.toUpperCase() })).toEqual(['definitionId']);
  expect(paths({ ...other, environmentPrefix: valid.environmentPrefix })).toEqual(['environmentPrefix']);
  const [part] = [valid.entities['parts']];
  const table: Kind = {
    ...other,
    key: `${valid.key}-parts`,
    entities: part === undefined ? {} : { list: part },
  };
  const longer: Kind = { ...valid, entities: part === undefined ? {} : { parts_list: part } };
  expect(findDuplicates(table, longer)).toEqual([
    { path: 'entities', message: `Is also of ${valid.key}: choose another one` },
  ]);
});
