/** Writes a search as code that developers can copy. */

export interface Request {
  readonly customer: string;
  readonly connectorId: string;
  readonly entity: string;
  readonly params: object;
}

export const languages = ['JSON', 'curl', 'TypeScript'] as const;
export type Language = (typeof languages)[number];

export function asCode(language: Language, request: Request): string {
  switch (language) {
    case 'JSON':
      return JSON.stringify(bodyOf(request), null, 2);
    case 'curl':
      return asCurl(request);
    case 'TypeScript':
      return asTypeScript(request);
  }
}

function bodyOf({ entity, params }: Request): object {
  return { entity, action: 'search', params };
}

function asCurl(request: Request): string {
  const body = JSON.stringify(bodyOf(request), null, 2).replaceAll("'", String.raw`'\''`);
  return `curl "$SERVICE_URL/api/v1/integrations/connectors/${request.connectorId}/execute" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`;
}

function asTypeScript({ customer, connectorId, entity, params }: Request): string {
  return `import { createClient } from '@connector-auth/api/client';

const client = createClient({ baseUrl, clientId, clientSecret });
const { result } = await client.forCustomer(${literal(customer)}).execute(${literal(connectorId)}, {
  entity: ${literal(entity)},
  action: 'search',
  params: ${literal(params, '  ')},
});`;
}

/** Writes a JSON value as a literal in the usual style: single quotes, and keys without quotes. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') {
    const json = JSON.stringify(value)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"');
    return `'${json.replaceAll("'", String.raw`\'`)}'`;
  }
  if (Array.isArray(value)) return `[${value.map(item => literal(item, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value);
  if (members.length === 0) return '{}';
  const inner = `${indent}  `;
  const lines = members.map(
    ([key, member]) =>
      `${inner}${/^[a-z_$][\w$]*$/i.test(key) ? key : literal(key)}: ${literal(member, inner)},`,
  );
  return `{\n${lines.join('\n')}\n${indent}}`;
}
