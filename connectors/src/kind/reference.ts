import { z } from 'zod';
import { readExamples, type Examples } from './examples.ts';
import type { Action, Entity, Kind, RateLimit, Searchable, Sync } from './kind.ts';
import { isIdName } from './search.ts';

/** The reference documentation for a kind. */
export type KindReference = Readonly<ReturnType<typeof describeKind>>;

export type EntityReference = Readonly<ReturnType<typeof describeEntity>>;

export interface SearchFieldReference {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly isIndexed: boolean;
  /** Whether filters compare it with integers as well as with strings of digits. */
  readonly isId: boolean;
  /** Whether filters compare it with whole days. */
  readonly isTime: boolean;
}

/**
 * A field, with its dotted path, its type as prose (`string or null`, `integer (1 to 100)`), whether it is
 * required, and its description.
 */
export interface FieldReference {
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly description: string;
  /** Who may set it; omitted if anyone who calls may. */
  readonly audience?: string;
}

/** Generates the reference documentation for a kind from its declaration and its recorded calls. */
export function describeKind(kind: Kind) {
  const examples = readExamples(kind);
  return {
    key: kind.key,
    name: kind.name,
    description: kind.description,
    definitionId: kind.definitionId,
    supportLevel: kind.supportLevel,
    // The data that the kind reads and changes, in words for end-customers.
    access: kind.access ?? { reads: [], changes: [] },
    authMethods: kind.authMethods.map(method => ({
      id: method.id,
      type: method.type,
      title: method.title,
      description: method.description,
      helpUrl: method.helpUrl,
      // Whether pasted credentials can need an OAuth app that they do not include.
      needsApp: method.refresh?.needsApp !== undefined,
      // Whether it works only in the caller's own process.
      isOpenSourceOnly: method.isOpenSourceOnly ?? false,
      // Permissions that the consent page asks for.
      scopes: method.consent?.scopes?.map(({ name }) => name) ?? [],
      fields: method.isConsentOnly ? [] : describeFields(method.fields),
    })),
    settings: kind.settings ? describeFields(kind.settings) : [],
    accounts: describeAccounts(kind),
    limits: kind.rateLimits.map(describeRateLimit),
    check: `${kind.check.entity}.${kind.check.action}`,
    entities: Object.entries(kind.entities).map(([name, entity]) =>
      describeEntity(kind, name, entity, examples[name]),
    ),
  };
}

/** Describes how users choose accounts. Returns null if they cannot. */
function describeAccounts({ accounts }: Kind) {
  if (!accounts) return null;
  const { setting, methods, dailyRequestsPerAccount } = accounts;
  // For a sync every hour; null if unknown.
  return { setting, methods, dailyRequestsPerAccount: dailyRequestsPerAccount?.(24) ?? null };
}

function describeRateLimit({ countedBy, burst, perSecond, isDailyQuota }: RateLimit): string {
  const count = `${burst.toLocaleString('en')} ${burst === 1 ? 'request' : 'requests'}`;
  const speed = isDailyQuota ? `${count} in 24 hours` : `${count} at once, then ${rate(perSecond)}`;
  return `${speed}, for each ${countedBy}`;
}

function rate(perSecond: number): string {
  if (perSecond >= 1) return `${perSecond} per second`;
  return perSecond * 3600 >= 1
    ? `${Math.round(perSecond * 3600)} per hour`
    : `${Math.round(perSecond * 86_400)} per day`;
}

function describeEntity(kind: Kind, name: string, entity: Entity, examples: Examples[string] = {}) {
  const { search } = examples;
  const { fieldDescriptions = {} } = kind;
  const describe = (field: string): string =>
    fieldDescriptions[`${name}.${field}`] ?? fieldDescriptions[field] ?? '';
  const actions = Object.entries<Action>(entity.actions).map(([action, { summary, params, record }]) => ({
    name: action,
    summary,
    params: describeFields(params),
    // Fields of the returned record.
    record: describeFields(record).map(field => ({
      ...field,
      description: field.description || describe(field.path),
    })),
    // A recorded call; null if none was recorded.
    example: examples[action] ?? null,
  }));
  const inRecords = new Map(
    actions.flatMap(({ record }) => record.map(field => [field.path, field.description])),
  );
  return {
    name,
    description: entity.description,
    actions,
    // Searchable fields; null if the entity is not searchable.
    search: entity.search
      ? describeSearch(entity.search, field => inRecords.get(field) || describe(field))
      : null,
    // When search finds changes and deletions at the vendor, and the key of a record, as prose.
    freshness: entity.search
      ? `${describeFreshness(kind, entity.search.sync)} ${describeKey(entity.search)}`
      : null,
    // The params and the response of a recorded search; null if none was recorded.
    searchExample: search ? { request: search.params, response: search.response } : null,
  };
}

function describeFreshness({ fullSyncCallsPerHour: calls }: Kind, sync: Sync): string {
  if (!sync.incremental) {
    return 'Every sync reads all records, so search finds changes and deletions after the next one.';
  }
  if (sync.onlyFullRunsFind === null)
    return 'Syncs read what changed and what was deleted, so search finds both after the next one.';
  const missing = `Syncs read what changed. Only a full sync finds ${sync.onlyFullRunsFind ?? 'deletions'}.`;
  if (calls === 0) return `${missing} One sync a day is a full one.`;
  return `${missing} Every sync is a full one if the last full one took at most ${calls} requests to the vendor for each hour of the sync interval. Otherwise, one sync a day is.`;
}

function describeKey({ primaryKey }: Searchable): string {
  const names = primaryKey.map(name => `\`${name}\``);
  return names.length === 1
    ? `The key of a record is ${names.join('')}.`
    : `The key of a record is ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`;
}

function describeSearch(
  { fields, indexed, primaryKey, times = [] }: Searchable,
  describe: (field: string) => string,
): SearchFieldReference[] {
  return Object.entries(fields).map(([name, type]) => ({
    name,
    type,
    description: describe(name),
    isIndexed: indexed.includes(name) || primaryKey.includes(name),
    isId: isIdName(name) && (type === 'integer' || type === 'string'),
    isTime: times.includes(name),
  }));
}

/** The JSON Schema keywords from which a field's row is generated. */
interface Schema {
  /** An array if the value can be null. */
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly description?: string;
  readonly title?: string;
  readonly writeOnly?: boolean;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly 'x-audience'?: string;
}

/** Describes the fields of a schema and of the objects in it. */
export function describeFields(schema: z.ZodType, io: 'input' | 'output' = 'input'): FieldReference[] {
  // zod returns JSON Schema, of which only the keywords above are read.
  const root = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: writeBigInt,
  }) as Schema;
  return rowsOf(root, '');
}

/** Writes a bigint as an integer in JSON Schema, because zod cannot represent it. */
export function writeBigInt({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: { type?: unknown };
}): void {
  if (zodSchema._zod.def.type === 'bigint') jsonSchema.type = 'integer';
}

function rowsOf(schema: Schema, prefix: string): FieldReference[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const { 'x-audience': audience } = field;
    const row = {
      path,
      type: typeOf(field),
      isRequired: schema.required?.includes(name) ?? false,
      isSecret: field.writeOnly === true,
      description: [field.title, field.description].filter(text => text !== undefined).join('. '),
      ...(audience === undefined ? {} : { audience }),
    };
    return [row, ...rowsOf(objectIn(field), path + (isArray(field) ? '[].' : '.'))];
  });
}

function typeOf(schema: Schema): string {
  const { type = 'any', anyOf, const: only, enum: values, items } = schema;
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (only !== undefined) return JSON.stringify(only);
  if (values) return values.map(value => JSON.stringify(value)).join(' or ');
  if (typeof type !== 'string') return type.map(one => typeOf({ ...schema, type: one })).join(' or ');
  const bounds = type === 'null' ? [] : boundsOf(schema);
  const name = type === 'array' && items ? `array of ${typeOf(items)}` : type;
  return bounds.length > 0 ? `${name} (${bounds.join(', ')})` : name;
}

const formats: Readonly<Record<string, string>> = {
  date: 'YYYY-MM-DD',
  'date-time': 'ISO 8601 date and time',
  uri: 'URL',
};
/** What a pattern means, by its source. `$1` and `$2` are the numbers in the pattern. */
const patternMeanings: readonly (readonly [pattern: RegExp, meaning: string])[] = [
  [/^\^\\d\{(\d+)\}\$$/, '$1 digits'],
  [/^\^\\d\{(\d+),(\d+)\}\$$/, '$1 to $2 digits'],
  [/^\^\[\\x21-\\x7e\]\+\$$/, 'ASCII without spaces'],
  [/^\^\[\\x21-\\x7e\]\{1,(\d+)\}\$$/, 'ASCII without spaces, at most $1 characters'],
  [/^\^\[!-9;-~\]\+\$$/, 'ASCII without spaces and colons'],
  [/^\^v\(2\\d\|\[3-9\]\\d\)\$$/, 'v20 or later'],
  [/^\^customers\/\\d\{10\}\/(\w+)\/\\d\+\$$/, 'customers/, 10 digits, /$1/ and a number'],
  [/^\^#\(\[0-9a-fA-F\]\{3\}\|/, 'a color such as #1a2b3c'],
  [/^\^not_\[A-Za-z0-9\]\{14\}\$$/, 'not_ and 14 letters or digits'],
  [/^\^\[A-Z\]\[A-Z0-9_\]\*\$$/, 'capital letters, digits and underscores'],
  [/^\^\[\^\\p\{Cc\}\\p\{Cs\}\]\+\$$/, 'no control characters'],
  [/^\^\[A-Za-z\]\{2,8\}\(-/, 'a language tag such as pt-BR'],
  [/^\^\[\\w-\]\{43\}\$$/, '43 base64url characters'],
  [/^\^\[\\w\.~-\]\{43,128\}\$$/, '43 to 128 letters, digits and . _ ~ -'],
  [/^\^\(\?!~\)\|/, 'as returned with the previous page'],
];

/** Returns a pattern after its meaning, such as `10 digits: ^\d{10}$`. */
function describePattern(pattern: string): string {
  const source = pattern.replaceAll('\\/', '/');
  for (const [known, meaning] of patternMeanings) {
    const match = known.exec(source);
    if (match)
      return `${meaning.replaceAll(/\$(\d)/g, (_, index: string) => match[Number(index)] ?? '')}: \`${source}\``;
  }
  return `\`${source}\``;
}

/** Maximum length of a pattern to show. Longer patterns are less helpful than the field's description. */
const maxPatternLength = 36;

/** Describes a value's constraints, except for its type. */
function boundsOf(schema: Schema): string[] {
  const { format, pattern, maxLength, minimum, maximum, minItems, maxItems } = schema;
  const bounds: string[] = [];
  if (format !== undefined) bounds.push(formats[format] ?? format);
  else if (pattern !== undefined && pattern.length <= maxPatternLength) bounds.push(describePattern(pattern));
  if (maxLength !== undefined) bounds.push(`at most ${maxLength} characters`);
  const range = rangeOf(minimum ?? minItems, maximum ?? maxItems);
  if (range !== null) bounds.push(range);
  return bounds;
}

/** Describes a range of values. The safe-integer limits count as unbounded. */
function rangeOf(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): string | null {
  const isOpen = max >= Number.MAX_SAFE_INTEGER;
  if (min <= Number.MIN_SAFE_INTEGER) return isOpen ? null : `at most ${max}`;
  return isOpen ? `at least ${min}` : `${min} to ${max}`;
}

/**
 * Finds the object schema within a field: the field itself, one of its alternatives, or the element of its
 * array.
 */
function objectIn(field: Schema): Schema {
  const alternatives = [field, ...(field.anyOf ?? [])].flatMap(one => [
    one,
    ...(one.items ? [one.items] : []),
  ]);
  return alternatives.find(({ properties }) => properties !== undefined) ?? {};
}

function isArray(field: Schema): boolean {
  return [field, ...(field.anyOf ?? [])].some(({ type }) => [type].flat().includes('array'));
}
