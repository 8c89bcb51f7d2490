import {
  endpoints,
  jsonSchemaOf,
  openApiDocument,
  type JsonObject,
  type OpenApiDocument,
} from '@connector-auth/api';
import { readExamples, type Action, type Example, type Kind } from '@connector-auth/connectors/kind';
import { addSearchSchemas, elementFilter, searchMeta } from './search-schemas.ts';

/**
 * Returns the OpenAPI document with an operation for each action and each search of the kinds. All of them are the
 * endpoint `execute`: the fragment of the path, which no client sends, distinguishes them.
 * @param publicUrl the service's base URL, without a trailing slash.
 */
export function describeService(publicUrl: string, version: string, kinds: readonly Kind[]): OpenApiDocument {
  const document = openApiDocument(publicUrl, version);
  const { path } = endpoints.execute;
  const { execute, responses } = withNamedResponses(document.paths[path]?.['post'] ?? {});
  const schemas: Record<string, unknown> = {
    SearchElementFilter: elementFilter,
    SearchMeta: searchMeta,
  };
  const operations = kinds.flatMap(kind => operationsOf(kind, schemas));
  const tags = kinds.map(({ name, description }) => ({ name, description }));
  return {
    ...document,
    tags: [...document.tags, ...tags],
    paths: {
      ...document.paths,
      '/mcp': { post: describeMcp(execute, publicUrl) },
      '/mcp/{organization_id}': { post: describeMcpOfOrganization(execute, publicUrl) },
      [path]: { post: execute },
      ...Object.fromEntries(
        operations.map(operation => [
          `${path}#${operation.kind.key}.${operation.entity}.${operation.action}`,
          { post: describeOperation(execute, operation) },
        ]),
      ),
    },
    components: {
      ...document.components,
      schemas: { ...document.components['schemas'], ...schemas },
      responses: { ...document.components['responses'], ...responses },
    },
  };
}

/** Describes the MCP server, whose requests and responses are messages of a protocol of its own. */
function describeMcp(execute: JsonObject, publicUrl: string): JsonObject {
  const message = { type: 'object', properties: { jsonrpc: { type: 'string', const: '2.0' } } };
  // `openApiDocument` describes each response and each parameter as an object.
  const responses = execute['responses'] as Record<string, JsonObject>;
  const parameters = execute['parameters'] as readonly JsonObject[];
  return {
    operationId: 'mcp',
    tags: ['Agents'],
    summary: 'Serve the tools for agents to MCP clients (Streamable HTTP, without sessions)',
    description: [
      'Callers: application, scoped token. An MCP client sends the token as `Authorization: Bearer …`. To get the first token:',
      `1. Exchange the client id and the client secret for an application token: \`POST ${endpoints.createApplicationToken.path}\`.`,
      `2. With it, mint a token for one customer and with the rights that the agent needs: \`POST ${endpoints.createScopedToken.path}\`.`,
      `\nThe guide ${publicUrl}/docs/agents describes the tools, their rights and their errors.`,
    ].join('\n'),
    security: execute['security'],
    parameters: parameters.filter(({ name }) => name === 'X-Organization-Id'),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            ...message,
            properties: { ...message.properties, method: { type: 'string' }, params: { type: 'object' } },
            required: ['jsonrpc', 'method'],
          },
          example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        },
      },
    },
    responses: {
      200: {
        description: 'A JSON-RPC message. The errors of tools are results whose `isError` is true',
        content: {
          'application/json': { schema: message },
          'text/event-stream': { schema: { type: 'string' } },
        },
      },
      202: { description: 'A notification was received' },
      ...Object.fromEntries(
        ['400', '401', '403', '413', '415', '429', '500', '503'].map(status => [status, responses[status]]),
      ),
    },
  };
}

/** Describes the address of the MCP server for one organization, whose login its agents use. */
function describeMcpOfOrganization(execute: JsonObject, publicUrl: string): JsonObject {
  return {
    ...describeMcp(execute, publicUrl),
    operationId: 'mcpOfOrganization',
    summary: 'Serve the tools for agents of one organization to MCP clients',
    parameters: [
      { name: 'organization_id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
    ],
  };
}

/** Names the error responses of an operation, so that others can refer to them. */
function withNamedResponses(execute: JsonObject): { execute: JsonObject; responses: JsonObject } {
  // `openApiDocument` describes each response as an object.
  const all = Object.entries(execute['responses'] as Record<string, JsonObject>);
  const errors = all.filter(([status]) => Number(status) >= 400);
  const references = errors.map(([status]) => [status, { $ref: `#/components/responses/Execute${status}` }]);
  return {
    execute: { ...execute, responses: { ...Object.fromEntries(all), ...Object.fromEntries(references) } },
    responses: Object.fromEntries(errors.map(([status, response]) => [`Execute${status}`, response])),
  };
}

/** An action or a search of an entity. */
interface Operation {
  /** Such as `granolaNotesList`. */
  readonly id: string;
  readonly kind: Kind;
  readonly entity: string;
  readonly action: string;
  readonly summary: string;
  /** The names of the schemas of the request and of the response. */
  readonly request: string;
  readonly response: string;
  readonly example: Example | null;
}

/** Returns the operations of a kind, and adds their schemas. */
function operationsOf(kind: Kind, schemas: Record<string, unknown>): Operation[] {
  const examples = readExamples(kind);
  return Object.entries(kind.entities).flatMap(([entity, { actions, search }]) => {
    const prefix = `${kind.name.replaceAll(' ', '')}${pascalCase(entity)}`;
    const operation = (action: string, summary: string): Operation => {
      const name = `${prefix}${pascalCase(action)}`;
      return {
        id: name.charAt(0).toLowerCase() + name.slice(1),
        kind,
        entity,
        action,
        summary: `${kind.name}: ${summary}`,
        request: `${name}Request`,
        response: `${name}Response`,
        example: examples[entity]?.[action] ?? null,
      };
    };
    const found = Object.entries<Action>(actions).map(([action, declared]) => {
      const described = operation(action, declared.summary);
      const params = `${prefix}${pascalCase(action)}Params`;
      schemas[params] = jsonSchemaOf(declared.params, 'input');
      schemas[described.request] = requestSchema(entity, action, params, isOptional(declared));
      addResponse(schemas, prefix, described, declared);
      return described;
    });
    if (!search) return found;
    const described = operation('search', `Search synced ${entity.replaceAll('_', ' ')}`);
    addSearchSchemas(schemas, prefix, search);
    schemas[described.request] = requestSchema(entity, 'search', `${prefix}SearchParams`, false);
    schemas[described.response] = outcome(
      {
        type: 'object',
        properties: {
          data: { type: 'array', items: { $ref: refTo(`${prefix}SearchRecord`) } },
          meta: { $ref: refTo('SearchMeta') },
        },
        required: ['data', 'meta'],
      },
      { type: 'null' },
    );
    return [...found, described];
  });
}

/** Returns whether the action can be called without params. */
function isOptional({ params }: Action): boolean {
  return params.safeParse({}).success;
}

function requestSchema(entity: string, action: string, params: string, isOptional: boolean): JsonObject {
  return {
    type: 'object',
    properties: {
      entity: { type: 'string', const: entity },
      action: { type: 'string', const: action },
      params: { $ref: refTo(params) },
    },
    required: ['entity', 'action', ...(isOptional ? [] : ['params'])],
    additionalProperties: false,
  };
}

/** Adds the schemas of a record and of the response. Actions that return the same record share its schema. */
function addResponse(
  schemas: Record<string, unknown>,
  prefix: string,
  { action, response }: Operation,
  { record, metadata }: Action,
): void {
  const isRead = action === 'list' || action === 'get';
  const name = isRead && schemas[`${prefix}Record`] === undefined ? 'Record' : `${pascalCase(action)}Result`;
  const schema = jsonSchemaOf(record, 'output');
  const isShared = isRead && isSame(schemas[`${prefix}Record`], schema);
  const recordName = isShared ? `${prefix}Record` : `${prefix}${name}`;
  schemas[recordName] = schema;
  const one = { $ref: refTo(recordName) };
  schemas[response] = outcome(
    action === 'list' ? { type: 'array', items: one } : one,
    metadata ? jsonSchemaOf(metadata, 'output') : { type: 'null' },
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function outcome(result: JsonObject, metadata: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: { result, connector_metadata: metadata },
    required: ['result', 'connector_metadata'],
  };
}

function describeOperation(execute: JsonObject, operation: Operation): JsonObject {
  const { id, kind, entity, action, summary, request, response, example } = operation;
  // `openApiDocument` describes each response as an object.
  const responses = execute['responses'] as Record<string, JsonObject>;
  return {
    ...execute,
    operationId: id,
    tags: [kind.name],
    summary,
    description: `${String(execute['description'])} The same endpoint as \`execute\`.`,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: refTo(request) },
          ...(example ? { example: { entity, action, params: example.params } } : {}),
        },
      },
    },
    responses: {
      ...responses,
      200: {
        ...responses['200'],
        content: {
          'application/json': {
            schema: { $ref: refTo(response) },
            ...(example ? { example: example.response } : {}),
          },
        },
      },
    },
  };
}

function refTo(name: string): string {
  return `#/components/schemas/${name}`;
}

function pascalCase(name: string): string {
  return name
    .split('_')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
