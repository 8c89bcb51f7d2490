import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Entity, Kind } from '../kind/kind.ts';
import { kinds } from '../kinds.ts';

/**
 * A kind in the notation of the specification: `string`, `integer`, `array`, …, or the allowed values
 * `ENABLED|PAUSED`. Paths use `.` for objects and `[]` for arrays. A `?` marks an optional param, or a record
 * field that may be null. Null means that the specification does not show the value.
 */
interface Specified {
  readonly kind: string;
  /** The credential fields of each auth method in the specification. */
  readonly credentials: readonly Fields[];
  readonly entities: Readonly<
    Record<
      string,
      { readonly actions: Readonly<Record<string, SpecifiedAction | null>>; readonly search?: Fields | null }
    >
  >;
}
interface SpecifiedAction {
  readonly params: Fields;
  readonly record: Fields;
}
type Fields = Readonly<Record<string, string>>;

const specified = readdirSync(new URL('.', import.meta.url))
  .filter(file => file.endsWith('.json'))
  .map(file => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Specified);

const compared = specified.map(specification => {
  const kind = kinds.find(({ key }) => key === specification.kind);
  if (kind === undefined) throw new Error(`${specification.kind} is not among the kinds`);
  return [specification.kind, specification, kind] as const;
});

test('covers all four kinds', () => {
  expect(compared.map(([key]) => key).toSorted()).toEqual([
    'gong',
    'google-ads',
    'granola',
    'tiktok-marketing',
  ]);
});

describe.each(compared)('the specification of %s', (_key, specification, kind) => {
  test('declares exactly the specified entities and actions', () => {
    const actionsOf = (entities: Specified['entities'] | Kind['entities']) =>
      Object.fromEntries(
        Object.entries(entities).map(([name, { actions }]) => [name, new Set(Object.keys(actions))]),
      );
    expect(actionsOf(kind.entities)).toEqual(actionsOf(specification.entities));
  });

  test('declares search for exactly the specified entities', () => {
    for (const [name, { search }] of Object.entries(specification.entities)) {
      if (search !== null)
        expect([name, kind.entities[name]?.search !== undefined]).toEqual([name, search !== undefined]);
    }
  });

  test('accepts the specified credentials', () => {
    const forms = kind.authMethods.map(({ fields }) => fieldsOf(fields, 'input'));
    for (const form of specification.credentials) expect(forms).toContainEqual(form);
  });

  const actions = Object.entries(specification.entities).flatMap(([entity, { actions }]) =>
    Object.entries(actions).flatMap(([action, fields]) =>
      fields ? [{ entity, action, ...fields, declared: declaredAction(kind, entity, action) }] : [],
    ),
  );

  test.each(actions)(
    '$entity $action declares exactly the specified params with their types',
    ({ params, declared }) => {
      expect(fieldsOf(declared.params, 'input')).toEqual(params);
    },
  );

  test.each(actions)(
    '$entity $action declares every specified field with its type',
    ({ record, declared }) => {
      const fields = fieldsOf(declared.record, 'output');
      // A field that vendors sometimes omit allows null, even if the specification does not.
      const orNull = ([path, type]: [string, string]) => [
        path,
        fields[path] === `${type}?` ? `${type}?` : type,
      ];
      expect(fields).toMatchObject(Object.fromEntries(Object.entries(record).map(orNull)));
    },
  );

  const searches = Object.entries(specification.entities).flatMap(([entity, { search }]) =>
    search ? [{ entity, search, declared: kind.entities[entity]?.search }] : [],
  );

  test.each(searches)(
    '$entity search declares exactly the specified fields with their types',
    ({ search, declared }) => {
      const types = Object.entries(declared?.fields ?? {}).map(([name, type]) => [
        name,
        // Results contain decimals as strings, but comparisons treat them as numbers.
        type === 'decimal' ? 'string' : type,
      ]);
      expect(Object.fromEntries(types)).toEqual(search);
    },
  );

  test.each(searches)('$entity search keys and indexes only its own searchable fields', ({ declared }) => {
    const { fields = {}, primaryKey = [], indexed = [], text = [] } = declared ?? {};
    expect(primaryKey.length).toBeGreaterThan(0);
    for (const name of [...primaryKey, ...indexed, ...text]) expect(fields).toHaveProperty([name]);
    for (const name of text) expect(fields[name]).toBe('string');
  });
});

function declaredAction(kind: Kind, entity: string, action: string) {
  const { actions = {} }: Partial<Entity> = kind.entities[entity] ?? {};
  const declared = Object.entries(actions).find(([name]) => name === action)?.[1];
  return declared ?? { params: z.never(), record: z.never() };
}

/** Describes the fields of a schema in the notation of the specification. */
function fieldsOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, string> {
  const fields: Record<string, string> = {};
  const visit = (path: string, node: JsonSchema): void => {
    for (const branch of [node, ...(node.anyOf ?? [])]) {
      for (const [name, member] of Object.entries(branch.properties ?? {})) {
        const isLoose = io === 'input' ? branch.required?.includes(name) !== true : isNullable(member);
        const below = path === '' ? name : `${path}.${name}`;
        fields[below] = `${typeOf(member)}${isLoose ? '?' : ''}`;
        visit(below, member);
      }
      if (branch.items !== undefined && typeOf(branch.items) !== 'any') {
        fields[`${path}[]`] = typeOf(branch.items);
        visit(`${path}[]`, branch.items);
      }
    }
  };
  // JSON Schema cannot represent `bigint`, which schemas combine with `integer` for long integers.
  visit('', z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema);
  return fields;
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

function typeOf({ type, enum: values, const: value, anyOf = [] }: JsonSchema): string {
  if (values ?? value) return (values ?? [value]).join('|');
  const types = [type ?? [], anyOf.map(typeOf)].flat().filter(one => one !== 'null' && one !== 'any');
  return types.length === 0 ? 'any' : [...new Set(types)].join(' or ');
}

function isNullable({ type, anyOf = [] }: JsonSchema): boolean {
  return [type].flat().includes('null') || anyOf.some(isNullable);
}
