import { asObject } from '@connector-auth/connectors/kind';
import { jsonSchemaToZod } from 'json-schema-to-zod';

type Json = Readonly<Record<string, unknown>>;

/** A schema that one of the wanted paths uses. */
export interface WrittenSchema {
  readonly name: string;
  readonly source: string;
}

/**
 * Returns the Zod schemas of the responses and request bodies of paths in an OpenAPI document. As records of a source have it, every
 * member of a response except `id` can be null, and none is missing.
 * @throws Error for a path that the document does not have.
 */
export function schemasOf(document: Json, paths: readonly string[]): WrittenSchema[] {
  const known = asObject(document['paths']);
  const missing = paths.filter(path => !Object.hasOwn(known, path));
  if (missing.length > 0) {
    throw new Error(
      `The document has no path ${missing.join(', ')}. It has:\n  ${Object.keys(known).join('\n  ')}`,
    );
  }
  return paths.flatMap(path =>
    Object.entries(asObject(known[path])).flatMap(([method, operation]) => {
      const name = nameOf(method, path);
      const responses = asObject(asObject(operation)['responses']);
      const success = Object.keys(responses).find(status => status.startsWith('2'));
      const written: WrittenSchema[] = [];
      const response = success === undefined ? null : contentOf(document, responses[success]);
      if (response !== null) {
        written.push({ name: `${name}Response`, source: write(nullable(resolve(document, response, []))) });
      }
      const request = contentOf(document, asObject(operation)['requestBody']);
      if (request !== null)
        written.push({ name: `${name}Request`, source: write(resolve(document, request, [])) });
      return written;
    }),
  );
}

/** Returns the schema of the JSON that a response or a request has, or null. */
function contentOf(document: Json, part: unknown): Json | null {
  const content = asObject(asObject(dereference(document, part))['content']);
  const json = Object.entries(content).find(([type]) => /[/+]json\b/.test(type));
  const schema = asObject(json?.[1])['schema'];
  return schema === undefined ? null : asObject(schema);
}

/** Replaces references by what they refer to. A schema that contains itself becomes one that accepts anything. */
function resolve(document: Json, schema: unknown, within: readonly string[]): unknown {
  if (Array.isArray(schema)) return schema.map(item => resolve(document, item, within));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref: reference } = asObject(schema);
  if (typeof reference === 'string') {
    if (within.includes(reference)) return {};
    return resolve(document, dereference(document, schema), [...within, reference]);
  }
  return Object.fromEntries(
    Object.entries(schema).map(([name, part]) => [name, resolve(document, part, within)]),
  );
}

function dereference(document: Json, part: unknown): unknown {
  const { $ref: reference } = asObject(part);
  if (typeof reference !== 'string') return part;
  if (!reference.startsWith('#/'))
    throw new Error(`${reference} is in another document. Bundle the documents first`);
  const names = reference.slice(2).split('/');
  const found = names.reduce<unknown>(
    (value, name) => asObject(value)[name.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
  return dereference(document, found);
}

/** Lets all members be null except `id`: vendors document types, but omit values. */
function nullable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(nullable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, ...others } = asObject(schema);
  const rest = Object.fromEntries(Object.entries(others).map(([name, part]) => [name, nullable(part)]));
  if (typeof properties !== 'object' || properties === null) return rest;
  const members = Object.entries(properties).map(([name, member]): [string, unknown] => {
    const inner = nullable(member);
    return [name, name === 'id' ? inner : { ...asObject(inner), nullable: true }];
  });
  return { ...rest, properties: Object.fromEntries(members), required: members.map(([name]) => name) };
}

function write(schema: unknown): string {
  return jsonSchemaToZod(asObject(schema), {
    zodVersion: 4,
    // These are the schemas from which the types of search fields follow.
    parserOverride: part => {
      const { type, format, nullable: isNullable, description, enum: options } = part as Json;
      const end =
        (isNullable === true ? '.nullable()' : '') +
        (typeof description === 'string' ? `.describe(${JSON.stringify(description)})` : '');
      if (options !== undefined) return undefined;
      if (type === 'integer') return (format === 'int64' ? 'integer' : 'z.int()') + end;
      if (type === 'string' && format === 'date-time') return `z.iso.datetime({ offset: true })${end}`;
      return undefined;
    },
  });
}

/** Returns a name such as `getContactsById`. */
function nameOf(method: string, path: string): string {
  const words = path.split('/').flatMap(part => {
    const [, param] = /^\{(.+)\}$/.exec(part) ?? [];
    return [...(param === undefined ? [] : ['by']), ...(param ?? part).split(/[^A-Za-z0-9]+/)].filter(
      word => word !== '',
    );
  });
  return [method, ...words.map(word => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}
