/**
 * Cuts the operations that a fixture names out of an OpenAPI document, with the schemas that they use and without texts for
 * readers: `node sources/testing/cut.ts FIXTURE DOCUMENT`.
 *
 * The document can also be the JSON Schema of the type `Operations` in an `operations.d.ts`, for vendors whose document has no
 * licence. In a folder in which the vendor's client and `ts-json-schema-generator` 2.4.0 are installed, this command makes it:
 * `ts-json-schema-generator --path operations.d.ts --type Operations --no-type-check --jsDoc none`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

type Json = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Json;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** The JSON Schema of a type with these members. */
interface TypeSchema<Member> {
  readonly properties: Readonly<Record<string, Member>>;
}

const [fixturePath = '', documentPath = ''] = process.argv.slice(2);
const {
  operations: named,
  schemas: _,
  ...header
} = readJson(fixturePath) as { operations: Json; schemas: Json };
const document = readJson(documentPath) as Json & {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly definitions?: { readonly Operations: TypeSchema<TypeSchema<Json>> };
};
const schemas: Record<string, unknown> = {};
const operations = Object.fromEntries(
  Object.keys(named).map(name => {
    const [method = '', path = ''] = name.split(' ');
    const operation = document.paths?.[path]?.[method.toLowerCase()];
    if (operation) return [name, cutOperation(operation)];
    const type = document.definitions?.Operations.properties[name];
    if (type) return [name, cutType(type)];
    throw new Error(`The document has no ${name}`);
  }),
);
const sorted = Object.fromEntries(
  Object.entries(schemas).toSorted(([one], [other]) => (one < other ? -1 : 1)),
);
writeFileSync(fixturePath, `${JSON.stringify({ ...header, operations, schemas: sorted })}\n`);

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function cutOperation({ parameters = [], requestBody, responses }: Operation) {
  const inQuery = parameters.map(resolve).filter(parameter => parameter.in === 'query');
  const body = schemaOf(requestBody);
  return {
    query: {
      type: 'object',
      properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, cutSchema(schema)])),
      required: inQuery.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    },
    ...(body && { body: cutSchema(body) }),
    responses: Object.fromEntries(
      Object.entries(responses).flatMap(([status, response]) => {
        const schema = schemaOf(resolve(response));
        return schema ? [[status, cutSchema(schema)]] : [];
      }),
    ),
  };
}

function cutType({ properties: { responses, ...request } }: TypeSchema<Json>) {
  const cutMembers = (members: Readonly<Record<string, Json>>) =>
    Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, cutSchema(schema)]));
  // The type has them.
  const { properties } = resolve(responses as Json) as Json & TypeSchema<Json>;
  return { ...cutMembers(request), responses: cutMembers(properties) };
}

function schemaOf(content: Content | undefined): Json | undefined {
  const { 'application/json': json, 'application/x-www-form-urlencoded': form } = content?.content ?? {};
  return (json ?? form)?.schema;
}

/** Follows a reference to another part of the document. */
function resolve<Part extends object>(part: Part): Part {
  if (!('$ref' in part)) return part;
  const names = String(part.$ref).split('/').slice(1).map(decodeURIComponent);
  // The document refers to parts of the same kind.
  return names.reduce<unknown>((parent, name) => (parent as Json)[name], document) as Part;
}

/** Returns a schema with the keywords that a validator reads, and adds the schemas to which it refers. */
function cutSchema(schema: Json): Json {
  if (typeof schema['$ref'] === 'string') {
    const name = decodeURIComponent(schema['$ref'].split('/').at(-1) ?? '').replaceAll(/[^\w.-]+/g, '-');
    if (!(name in schemas)) {
      // A schema may refer to itself.
      schemas[name] = {};
      schemas[name] = cutSchema(resolve(schema));
    }
    return { $ref: `#/schemas/${name}` };
  }
  const cut = Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => {
      const reduced = cutKeyword(keyword, value);
      return reduced === undefined ? [] : [[keyword, reduced]];
    }),
  );
  // OpenAPI 3.0 has a keyword where JSON Schema has a type.
  return schema['nullable'] === true ? { anyOf: [cut, { type: 'null' }] } : cut;
}

function cutKeyword(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(Object(value)).map(([name, member]) => [name, cutSchema(member as Json)]),
      );
    case 'items':
    case 'not':
      return cutSchema(value as Json);
    case 'additionalProperties':
      return typeof value === 'object' ? cutSchema(value as Json) : value;
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return (value as Json[]).map(cutSchema);
    case 'const':
    case 'type':
    case 'enum':
    case 'format':
    case 'required':
    case 'pattern':
    case 'minimum':
    case 'maximum':
    case 'minItems':
    case 'maxItems':
    case 'minLength':
    case 'maxLength':
      return value;
    default:
      return undefined;
  }
}
