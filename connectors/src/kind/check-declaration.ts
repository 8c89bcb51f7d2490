import { validate, type Issue } from '@connector-auth/api';
import { parse } from 'tldts';
import { z } from 'zod';
import { plainName, type Action, type Kind, type Searchable } from './kind.ts';
import { describeFields } from './reference.ts';
import { svgIssueOf } from './safe-svg.ts';

/**
 * Checks a declaration that the compiler may not have seen. Each issue has its path in the declaration and says what to
 * change. Rules that depend on valid members are checked once these are valid.
 */
export function checkDeclaration(declaration: unknown): readonly Issue[] {
  const shape = validate(declarationSchema, declaration);
  // The schema has checked everything that the rules read.
  return shape.ok ? brokenRules(declaration as Kind) : shape.issues;
}

/** What kinds that are loaded together must not share. */
const unique: readonly { readonly path: string; readonly of: (kind: Kind) => readonly string[] }[] = [
  { path: 'key', of: ({ key }) => [plainName(key)] },
  { path: 'name', of: ({ name }) => [plainName(name)] },
  { path: 'definitionId', of: ({ definitionId }) => [definitionId.toLowerCase()] },
  { path: 'environmentPrefix', of: ({ environmentPrefix }) => [environmentPrefix] },
  {
    path: 'entities',
    of: ({ key, entities }) =>
      Object.keys(entities).map(entity => `table ${key}_${entity}`.replaceAll('-', '_')),
  },
];

/** Returns an issue for each member of a kind that another one has already. Both declarations are valid. */
export function findDuplicates(kind: Kind, other: Kind): readonly Issue[] {
  // A name that is the key of another kind would be ambiguous in requests, too.
  const names = new Set([plainName(other.key), plainName(other.name)]);
  return unique.flatMap(({ path, of }) => {
    const taken = path === 'key' || path === 'name' ? names : new Set(of(other));
    const isTaken = of(kind).some(value => taken.has(value));
    return isTaken ? [{ path, message: `Is also of ${other.key}: choose another one` }] : [];
  });
}

const text = z.string('Must be a text in English').regex(/\S/, 'Must be a text in English');
const texts = z.array(text, 'Must be a list of texts in English');
const isFunction = z.custom(value => typeof value === 'function', 'Must be a function');
const isSchema = z.custom(value => typeOfSchema(value) !== null, 'Must be a schema of Zod 4');
const isObjectSchema = z.custom(
  value => typeOfSchema(value) === 'object',
  'Must be an object schema of Zod 4, such as z.strictObject',
);
const url = z.url({ protocol: /^https$/, error: 'Must be an https URL' });
const anySchema = z.object({ _zod: z.object({ def: z.object({ type: z.string() }) }) });

/** Returns the type of a schema of any copy of Zod 4, or null for any other value. */
function typeOfSchema(value: unknown): string | null {
  const parsed = anySchema.safeParse(value);
  return parsed.success ? parsed.data._zod.def.type : null;
}

/** Not more than PostgreSQL's columns in a table, without ours. */
const maxFields = 1_500;
const maxKeyLength = 40;

const action = z.looseObject(
  {
    summary: text,
    params: isSchema,
    record: isSchema,
    metadata: isSchema.optional(),
    privateFields: z.array(z.string()).optional(),
    run: isFunction,
    nextPage: isFunction.optional(),
  },
  'Must be an action, from defineAction',
);

const names = z.array(z.string(), 'Must be a list of names of fields');

const searchable = z.looseObject({
  fields: z.record(
    z.string(),
    z.enum(
      ['string', 'integer', 'number', 'boolean', 'array', 'object', 'decimal'],
      'Must be string, integer, number, boolean, array, object or decimal',
    ),
    'Must name the type of each field',
  ),
  primaryKey: names.min(1, 'Must name at least one field'),
  nullableKey: names.optional(),
  indexed: names,
  text: names,
  times: names.optional(),
  sync: z.looseObject(
    { incremental: z.boolean('Must be true or false'), run: isFunction },
    'Must say how to sync the records',
  ),
});

const authMethod = z.looseObject({
  id: z.string('Must be a name').regex(/^[a-z][a-z0-9_]*$/, 'Must be lower-case words joined by _'),
  type: z.enum(['oauth', 'credentials'], 'Must be oauth or credentials'),
  title: text,
  description: text,
  helpUrl: url.nullable(),
  fields: isObjectSchema,
  rejectedField: z.string('Must be the name of a field'),
  authorize: isFunction,
  refresh: z.looseObject({ isDue: isFunction, request: isFunction, read: isFunction }).optional(),
  consent: z
    .looseObject({
      usesPkce: z.boolean('Must be true or false'),
      url: isFunction,
      readCallback: isFunction,
      exchange: isFunction,
      readTokens: isFunction,
    })
    .optional(),
  revocation: z.looseObject(
    { pageUrl: url, request: isFunction.optional(), isAlreadyRevoked: isFunction.optional() },
    'Must say where a person can revoke the grant: { pageUrl }',
  ),
});

/** A host name, also with a port or with `*.` for the subdomains of a domain that itself has a dot. */
const host = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9-]+(?::\d{1,5})?$/;

const declarationSchema = z.looseObject(
  {
    key: z
      .string('Must be lower-case words joined by -')
      .max(maxKeyLength, `Must have at most ${maxKeyLength} characters`)
      .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'Must be lower-case words joined by -'),
    name: text,
    vendorName: text.optional(),
    definitionId: z.uuid('Must be a UUID: create one with crypto.randomUUID() and never change it'),
    description: text,
    fieldDescriptions: z.record(z.string(), text).optional(),
    supportLevel: z.enum(['certified', 'community'], 'Must be certified or community'),
    category: text.optional(),
    access: z.looseObject({ reads: texts, changes: texts }).optional(),
    messages: z.looseObject({ en: z.looseObject({}, 'Must contain the English texts') }).optional(),
    icon: z.string('Must be an SVG document'),
    environmentPrefix: z
      .string('Must be capital words joined by _, such as OAUTH_ACME')
      .regex(/^OAUTH_[A-Z0-9]+(?:_[A-Z0-9]+)*$/, 'Must be capital words joined by _, such as OAUTH_ACME'),
    appExtras: isObjectSchema.optional(),
    hosts: z
      .array(
        z
          .string('Must be a host name')
          .regex(host, 'Must be a host name such as api.example.com, or *.example.com for its subdomains'),
        'Must be a list of host names',
      )
      .min(1, 'Must list the hosts of the vendor'),
    authMethods: z.array(authMethod, 'Must be a list').min(1, 'Must have at least one auth method'),
    settings: isObjectSchema.optional(),
    settingsWithoutSync: names.optional(),
    accounts: z
      .looseObject({ setting: z.string(), methods: z.array(z.string()), list: isFunction })
      .optional(),
    rateLimits: z.array(
      z.looseObject({
        countedBy: text,
        subject: isFunction,
        burst: z.number('Must be a number').positive('Must be above 0'),
        perSecond: z.number('Must be a number').positive('Must be above 0'),
      }),
      'Must be a list; it can be empty',
    ),
    fullSyncCallsPerHour: z.number('Must be a number').min(0, 'Must not be negative'),
    entities: z.record(
      z.string(),
      z.looseObject({
        title: text.optional(),
        access: text.optional(),
        description: text,
        actions: z.partialRecord(z.enum(['list', 'get', 'create', 'update']), action),
        search: searchable.optional(),
      }),
      'Must be an object with at least one entity',
    ),
    check: z.looseObject(
      { entity: z.string(), action: z.string(), run: isFunction },
      'Must say which call verifies the credentials',
    ),
    examples: isFunction.optional(),
    readFailure: isFunction,
  },
  'Must be a kind, from defineKind',
);

function brokenRules(kind: Kind): Issue[] {
  const issues: Issue[] = [];
  const rule = (isKept: boolean, path: string, message: string): void => {
    if (!isKept) issues.push({ path, message });
  };
  for (const [index, name] of kind.hosts.entries()) {
    const issue = hostIssueOf(name, kind.hosts);
    rule(issue === null, `hosts.${index}`, issue ?? '');
  }
  const svgIssue = svgIssueOf(kind.icon);
  rule(svgIssue === null, 'icon', svgIssue ?? '');
  const ids = kind.authMethods.map(({ id }) => id);
  for (const [index, { id, fields, rejectedField }] of kind.authMethods.entries()) {
    const path = `authMethods.${index}`;
    rule(ids.indexOf(id) === index, `${path}.id`, `Another auth method is also named ${id}`);
    rule(rejectedField in fields.shape, `${path}.rejectedField`, 'Must be one of the fields');
  }
  const { accounts, settings, entities, check } = kind;
  if (accounts) {
    rule(accounts.setting in (settings?.shape ?? {}), 'accounts.setting', 'Must be one of the settings');
    rule(
      accounts.methods.every(id => ids.includes(id)),
      'accounts.methods',
      'Must be ids of auth methods',
    );
  }
  rule(Object.keys(entities).length > 0, 'entities', 'Must have at least one entity');
  const checked = entities[check.entity]?.actions ?? {};
  rule(check.action in checked, 'check', 'Must name an entity and one of its actions');
  for (const [name, { search }] of Object.entries(entities)) {
    const path = `entities.${name}`;
    rule(isEntityName(name), path, 'Must be lower-case words joined by _, and not execute or check');
    if (search) issues.push(...brokenSearchRules(kind, name, search));
  }
  return issues;
}

/** Returns why the subdomains of a domain can belong to anyone, or null. */
function hostIssueOf(host: string, hosts: readonly string[]): string | null {
  if (!host.startsWith('*.')) return null;
  const [domain = ''] = host.slice(2).split(':');
  const { publicSuffix, isIcann } = parse(domain, { allowPrivateDomains: true });
  if (publicSuffix !== domain) return null;
  const message = `Anyone can have a subdomain of ${domain}: name the hosts of the vendor`;
  if (isIcann === true) return message;
  return hosts.includes(domain) ? null : `${message}. If ${domain} is the vendor's, add it as a host, too`;
}

/** An entity's name is part of the name of a table, and a member of the connector beside `execute` and `check`. */
function isEntityName(name: string): boolean {
  return /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name) && !['execute', 'check', 'constructor'].includes(name);
}

function brokenSearchRules(
  { entities, fieldDescriptions = {} }: Kind,
  entity: string,
  search: Searchable,
): Issue[] {
  const issues: Issue[] = [];
  const path = `entities.${entity}.search`;
  const actions = Object.values<Action>(entities[entity]?.actions ?? {});
  const { fields } = search;
  const declared = Object.keys(fields);
  if (declared.length > maxFields)
    issues.push({ path: `${path}.fields`, message: `Must be at most ${maxFields} fields` });
  // A sync can also compute fields, which only their descriptions explain.
  const explained = new Set([
    ...actions.flatMap(({ record }) => describeFields(record).map(field => field.path)),
    ...Object.keys(fieldDescriptions).map(name => name.replace(`${entity}.`, '')),
  ]);
  for (const name of declared) {
    if (!isColumnName(name)) {
      issues.push({
        path: `${path}.fields.${name}`,
        message:
          'Cannot be a column: rename it to letters, digits, _ and .; PostgreSQL has own columns such as xmin',
      });
    } else if (!explained.has(name)) {
      issues.push({
        path: `${path}.fields.${name}`,
        message:
          'Is not in the record of any action: add it there, or describe it in fieldDescriptions if the sync computes it',
      });
    }
  }
  const requireFields = (member: string, names: readonly string[] = [], types?: readonly string[]): void => {
    for (const name of names) {
      const type = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (type === undefined)
        issues.push({ path: `${path}.${member}`, message: `${name} is not one of the fields` });
      else if (types?.includes(type) === false)
        issues.push({
          path: `${path}.${member}`,
          message: `${name} is of type ${type}: it must be ${types.join(' or ')}`,
        });
    }
  };
  // Equal values of other types can have different texts, which sync runs compare.
  requireFields('primaryKey', search.primaryKey, ['string', 'integer', 'boolean']);
  requireFields('nullableKey', search.nullableKey);
  requireFields('indexed', search.indexed);
  requireFields('text', search.text, ['string']);
  requireFields('times', search.times, ['string']);
  return issues;
}

/** PostgreSQL's own columns, which every table has. */
const systemColumns = ['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'];

/** A name that begins with `$` is the service's own. */
function isColumnName(name: string): boolean {
  return /^[A-Za-z_][\w.-]*$/.test(name) && name !== '__proto__' && !systemColumns.includes(name);
}
