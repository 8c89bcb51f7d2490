import { z } from 'zod';
import type { Endpoint } from './contract/endpoint.ts';
import { endpoints } from './contract/endpoints.ts';
import { eventNames, events, eventSchema } from './contract/events.ts';
import { idempotencyKey, languages, uuid } from './contract/names.ts';
import {
  issueSchema,
  problemCodeHeader,
  problemCodes,
  problems,
  problemSchema,
  vendorReportSchema,
  type ProblemCode,
} from './problem.ts';

/** An OpenAPI 3.1 document as plain JSON. */
export interface OpenApiDocument {
  openapi: '3.1.1';
  info: { title: string; version: string; description: string; license: JsonObject };
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, JsonObject>>;
  webhooks?: Record<string, Record<string, JsonObject>>;
  components: Record<string, JsonObject>;
}

export type JsonObject = Record<string, unknown>;

/** A contract, and what its document says besides its endpoints. */
export interface DocumentedContract {
  readonly title: string;
  /** Precedes the list of error codes. */
  readonly description: string;
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  /** What the endpoints of a tag do. */
  readonly tags: Readonly<Record<string, string>>;
  /** The ways to authenticate, by name. A request needs one of them. */
  readonly securitySchemes: Readonly<Record<string, JsonObject>>;
  /** Headers that every endpoint accepts that needs a caller. */
  readonly callerHeaders: readonly JsonObject[];
  /** Error statuses of every endpoint, in addition to those implied by its input and by its callers. */
  readonly problems: readonly number[];
  /** Response schemas that are listed by name in `components.schemas`. All other schemas are inlined. */
  readonly components: ReadonlyMap<z.ZodType, string>;
}

/**
 * Returns the OpenAPI 3.1 document for integrators.
 * @param serverUrl the service's base URL, without a trailing slash.
 */
export function openApiDocument(serverUrl: string, version: string): OpenApiDocument {
  const { components, ...document } = describeContract(integrators(), serverUrl, version);
  return { ...document, webhooks: describeEvents(), components };
}

/** Describes the requests that webhooks receive, one for each event. */
function describeEvents(): NonNullable<OpenApiDocument['webhooks']> {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  });
  return Object.fromEntries(
    eventNames.map(name => [
      name,
      {
        post: {
          operationId: name,
          tags: ['Webhooks'],
          summary: events[name].summary,
          security: [],
          parameters: [
            header('webhook-id', 'Identifies the event; the same in each attempt'),
            header('webhook-timestamp', 'When the attempt was made, in seconds since 1970'),
            header('webhook-signature', 'Signatures of id, timestamp and body, as in Standard Webhooks'),
          ],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: jsonSchemaOf(eventSchema(name), 'output'),
                example: { type: name, timestamp: '2026-11-20T09:30:00.000Z', data: events[name].example },
              },
            },
          },
          responses: {
            '2XX': { description: 'The event was received. Any other status is retried' },
            410: { description: 'The webhook is switched off' },
          },
        },
      },
    ]),
  );
}

/** Returns the OpenAPI 3.1 document for a contract. */
export function describeContract(
  contract: DocumentedContract,
  serverUrl: string,
  version: string,
): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const [name, endpoint] of Object.entries(contract.endpoints)) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(contract, name, endpoint);
  }
  const { title, description, securitySchemes } = contract;
  const pathsAsText = JSON.stringify(paths);
  return {
    openapi: '3.1.1',
    info: {
      title,
      version,
      description: `${description}\n${errorCodes}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(Object.values(contract.endpoints).map(({ tag }) => tag))].map(name => {
      const description = contract.tags[name];
      return description === undefined ? { name } : { name, description };
    }),
    paths,
    components: {
      schemas: componentSchemas(contract),
      responses: Object.fromEntries(
        Object.entries(problemResponses).filter(([name]) =>
          pathsAsText.includes(`"#/components/responses/${name}"`),
        ),
      ),
      securitySchemes,
    },
  };
}

const integrators = (): DocumentedContract => ({
  title: 'Agent Data Access Service',
  description: [
    'Connects third-party sources on behalf of end-customers and runs operations on them.',
    'Vendor ids are JSON integers of up to 19 digits: use a parser that does not round them.',
  ].join('\n'),
  endpoints,
  tags: {
    Tokens: 'Tokens for backends and for the widget',
    Organization: 'What users see of the organization, and its settings',
    Customers: 'The customers on whose behalf sources are connected',
    Catalog: 'The sources that can be connected',
    Connectors: 'Stored connections to sources',
    Links: 'Links with which a person connects a source in a browser',
    OAuth: 'Consent at the vendor, and OAuth apps of the organization',
    Execute: 'Actions on the entities of a connector',
    Agents: 'Apps and chat clients of people: their tools over MCP, their sign-in, and its end',
    Changes: 'What changed in the stored records, in order',
    Webhooks: 'Where events are sent, and their deliveries',
  } satisfies Record<(typeof endpoints)[keyof typeof endpoints]['tag'], string>,
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'Application, scoped or widget token',
    },
  },
  callerHeaders: [
    {
      name: 'X-Organization-Id',
      in: 'header',
      required: false,
      description: 'Required if the application belongs to several organizations',
      schema: jsonSchemaOf(uuid, 'input'),
    },
  ],
  problems: [],
  components: new Map<z.ZodType, string>([
    [endpoints.getOrganization.response, 'Organization'],
    [endpoints.listOrganizations.response, 'OrganizationList'],
    [endpoints.getConnector.response, 'Connector'],
    [endpoints.listConnectors.response, 'ConnectorPage'],
    [endpoints.listDefinitions.response, 'SourceDefinitionList'],
    [endpoints.getDefinition.response, 'SourceDefinitionDetail'],
    [endpoints.listCustomers.response, 'CustomerPage'],
    [endpoints.getOAuthSession.response, 'OAuthSession'],
    [endpoints.execute.response, 'ExecuteResponse'],
  ]),
});

const errorCodes = [
  'Every error is `application/problem+json` (RFC 9457) with a stable `code`:',
  '',
  '| code | status | meaning |',
  '|---|---|---|',
  ...problemCodes.map(code => `| \`${code}\` | ${problems[code].status} | ${problems[code].title} |`),
].join('\n');

/** The status for errors that only the client reports. The service never sends it. */
const clientOnly = 499;
const problemStatuses = [...new Set(problemCodes.map(code => problems[code].status))]
  .filter(status => status !== clientOnly)
  .sort((a, b) => a - b);

/** Present in responses of limited endpoints. */
const limitHeader: JsonObject = {
  description: 'The limit that is closest to being exceeded, as in draft-ietf-httpapi-ratelimit-headers-10',
  schema: { type: 'string' },
};

const problemResponses: JsonObject = Object.fromEntries(
  problemStatuses.map(status => [`Problem${status}`, problemResponse(status)]),
);

function problemResponse(
  status: number,
  codes = problemCodes.filter(code => problems[code].status === status),
): JsonObject {
  const schema = { $ref: '#/components/schemas/Problem' };
  return {
    description: codes.map(code => `\`${code}\`: ${problems[code].title}`).join('; '),
    headers: {
      'X-Request-Id': { schema: { type: 'string' } },
      [problemCodeHeader]: { description: 'The `code`', schema: { type: 'string', enum: codes } },
      ...(status === 401 ? { 'WWW-Authenticate': { schema: { type: 'string' } } } : {}),
      ...(status === 429 || status === 503
        ? { 'Retry-After': { description: 'Seconds', schema: { type: 'integer', minimum: 0 } } }
        : {}),
      ...(status === 429 ? { 'RateLimit-Policy': limitHeader, RateLimit: limitHeader } : {}),
    },
    content: {
      'application/problem+json': {
        schema: {
          allOf: [schema, { type: 'object', properties: { code: { type: 'string', enum: codes } } }],
        },
      },
    },
  };
}

function operation(contract: DocumentedContract, name: string, endpoint: Endpoint): JsonObject {
  const isOpen = endpoint.callers.length === 0;
  return {
    operationId: name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: describeCallers(endpoint),
    security: isOpen ? [] : Object.keys(contract.securitySchemes).map(scheme => ({ [scheme]: [] })),
    parameters: [
      ...parameters('path', endpoint.params),
      ...parameters('query', endpoint.query),
      ...parameters('header', endpoint.headers),
      ...(isOpen || endpoint.needsOrganization === false ? [] : contract.callerHeaders),
      ...headerParameters(endpoint),
    ],
    ...(endpoint.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchemaOf(endpoint.body, 'input') } },
          },
        }
      : {}),
    responses: {
      [endpoint.status]: successResponse(contract, endpoint),
      ...(endpoint.cacheable
        ? { 304: { description: 'Not modified: the response named by `If-None-Match` is current' } }
        : {}),
      ...problemsOf(contract, endpoint),
    },
  };
}

function describeCallers({ callers, method, access }: Endpoint): string {
  if (callers.length === 0) return 'Needs no token.';
  if (!callers.includes('admin')) return `Callers: ${callers.join(', ')} token.`;
  const needed = access ?? (method === 'GET' ? 'read' : 'write');
  return needed === 'read' ? 'Callers: any admin key.' : 'Callers: admin key with write access.';
}

function parameters(place: 'path' | 'query' | 'header', schema: z.ZodObject | undefined): JsonObject[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    // A ZodObject's shape contains full schemas, but zod declares them only by their core interface.
    const { description, ...rest } = jsonSchemaOf(field as z.ZodType, 'input');
    return {
      name,
      in: place,
      required: place === 'path' || !z.safeParse(field, undefined).success,
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function headerParameters(endpoint: Endpoint): JsonObject[] {
  const idempotency = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A repeated request with the same key and body returns the first response for 24 hours; a failed request releases the key',
    schema: jsonSchemaOf(idempotencyKey, 'input'),
  };
  const acceptLanguage = {
    name: 'Accept-Language',
    in: 'header',
    required: false,
    description: `Language of the words for users: ${languages.join(', ')}. Others are answered in English`,
    schema: { type: 'string' },
  };
  const ifNoneMatch = { name: 'If-None-Match', in: 'header', required: false, schema: { type: 'string' } };
  return [
    ...(endpoint.idempotencyKey ? [idempotency] : []),
    ...(endpoint.isLocalized ? [acceptLanguage] : []),
    ...(endpoint.cacheable ? [ifNoneMatch] : []),
  ];
}

function successResponse(
  { components }: DocumentedContract,
  { response, cacheable, isLocalized, mediaType }: Endpoint,
): JsonObject {
  const headers = {
    'X-Request-Id': { schema: { type: 'string' } },
    'RateLimit-Policy': limitHeader,
    RateLimit: limitHeader,
    ...(isLocalized ? { 'Content-Language': { schema: { type: 'string', enum: languages } } } : {}),
    ...(cacheable ? { ETag: { schema: { type: 'string' } } } : {}),
  };
  if (response === null) return { description: 'Success', headers };
  const known = components.get(response);
  const schema =
    known === undefined ? jsonSchemaOf(response, 'output') : { $ref: `#/components/schemas/${known}` };
  return { description: 'Success', headers, content: { [mediaType ?? 'application/json']: { schema } } };
}

/** Returns the endpoint's error responses: with the codes that it lists, or with all codes of its statuses. */
function problemsOf(contract: DocumentedContract, endpoint: Endpoint): JsonObject {
  if (endpoint.errors === undefined) {
    return Object.fromEntries(
      statusesOf(contract, endpoint).map(status => [
        status,
        { $ref: `#/components/responses/Problem${status}` },
      ]),
    );
  }
  const codes = codesOf(endpoint);
  return Object.fromEntries(
    problemStatuses
      .map(status => [status, codes.filter(code => problems[code].status === status)] as const)
      .filter(([, ofStatus]) => ofStatus.length > 0)
      .map(([status, ofStatus]) => [status, problemResponse(status, ofStatus)]),
  );
}

/** Returns the codes that an endpoint lists, and those implied by its input and by the callers it accepts. */
function codesOf({ callers, body, needsOrganization, errors = [] }: Endpoint): ProblemCode[] {
  const possible = new Set<ProblemCode>([
    'malformed_request',
    'rate_limited',
    'internal_error',
    'overloaded',
    ...(callers.length > 0 ? ofToken : []),
    ...(callers.length > 0 && needsOrganization !== false ? (['organization_required'] as const) : []),
    ...(body ? (['body_too_large', 'media_type_not_supported'] as const) : []),
    ...errors,
  ]);
  return problemCodes.filter(code => possible.has(code));
}

const ofToken: readonly ProblemCode[] = [
  'token_missing',
  'token_invalid',
  'token_expired',
  'token_kind_not_allowed',
  'organization_not_allowed',
  'organization_disabled',
  'origin_not_allowed',
];

/**
 * Returns the endpoint's error statuses: those it declares, and those implied by its input and by the callers
 * it accepts.
 */
function statusesOf(contract: DocumentedContract, endpoint: Endpoint): number[] {
  const takesToken = endpoint.callers.length > 0;
  const possible = new Set([
    400,
    401,
    ...(takesToken ? [403] : []),
    ...(endpoint.params ? [404] : []),
    ...(endpoint.body ? [413, 415] : []),
    ...(endpoint.problems ?? []),
    ...contract.problems,
    429,
    500,
    503,
  ]);
  return problemStatuses.filter(status => possible.has(status));
}

/** The schemas of error responses, which every document has. */
const problemComponents = new Map<z.ZodType, string>([
  [problemSchema, 'Problem'],
  [issueSchema, 'Issue'],
  [vendorReportSchema, 'VendorReport'],
]);

function componentSchemas({ components }: DocumentedContract): JsonObject {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of [...problemComponents, ...components]) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    ...conversion('output'),
    uri: id => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutIdentity(schema)]));
}

/** Returns the JSON Schema of a request (`input`) or of a response (`output`). */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  return withoutIdentity(z.toJSONSchema(schema, conversion(io)));
}

function conversion(io: 'input' | 'output'): NonNullable<Parameters<typeof z.toJSONSchema>[1]> {
  return {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'bigint')
        Object.assign(jsonSchema, { type: 'integer', format: 'int64' });
      // These are the limits of numbers in JavaScript, not of our integers.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // The format is sufficient, and the equivalent pattern is very long.
      if (jsonSchema.format === 'uuid' || jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      // Requests are strict, but responses are not: generated clients must accept new members.
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  };
}

function withoutIdentity({ $schema: _schema, $id: _id, ...rest }: JsonObject): JsonObject {
  return rest;
}
