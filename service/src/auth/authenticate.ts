import { ConnectorAuthError, type Endpoint } from '@connector-auth/api';
import { z } from 'zod';
import type { Caller, WidgetCaller } from './caller.ts';
import type { TokenContent, TokenSigner } from './token-signer.ts';

/** The headers that say who is calling; names as Node gives them. */
export interface CallerHeaders {
  readonly authorization?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
  readonly 'x-organization-id'?: string | string[] | undefined;
}

/**
 * Finds out who is calling an endpoint, and refuses who may not: by the token, its kind, its origin and its organization.
 * @param ownOrigin the service's own, whose pages' same-origin requests carry no `Origin`.
 * @throws ConnectorAuthError 401 for the token itself, 403 for what it does not allow, 400 for the organization header.
 */
export async function authenticate(
  headers: CallerHeaders,
  endpoint: Pick<Endpoint, 'callers'>,
  signer: TokenSigner,
  ownOrigin: string,
): Promise<Caller> {
  const content = await signer.verify(bearerToken(headers.authorization));
  if (!endpoint.callers.includes(content.kind)) {
    throw new ConnectorAuthError(
      'token_kind_not_allowed',
      `Call this with ${endpoint.callers.map(kind => `an ${kind}`.replace(/^an (?=[^a])/, 'a ')).join(' or ')} token`,
    );
  }
  if (content.kind === 'widget') requireOrigin(content, headers, ownOrigin);
  const organizationId = chooseOrganization(content, headers['x-organization-id']);
  return content.kind === 'application'
    ? { kind: 'application', applicationId: content.applicationId, organizationId }
    : content;
}

function bearerToken(authorization: string | undefined): string {
  const [, token] = /^bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? '') ?? [];
  if (token !== undefined) return token;
  throw new ConnectorAuthError('token_missing', 'Send the header Authorization: Bearer <token>');
}

function requireOrigin(caller: WidgetCaller, headers: CallerHeaders, ownOrigin: string): void {
  const isSameOrigin = headers.origin === undefined && headers['sec-fetch-site'] === 'same-origin';
  const origin = isSameOrigin ? ownOrigin : headers.origin;
  if (origin !== caller.allowedOrigin) {
    throw new ConnectorAuthError('origin_not_allowed', 'Pages of this origin may not use the widget token');
  }
}

const uuid = z.uuid();

function chooseOrganization(content: TokenContent, header: string | string[] | undefined): string {
  const own = content.kind === 'application' ? content.organizationIds : ([content.organizationId] as const);
  if (header === undefined) {
    if (own.length === 1) return own[0];
    throw new ConnectorAuthError(
      'organization_required',
      'The application belongs to several organizations: name one in the header X-Organization-Id',
    );
  }
  const wanted = uuid.safeParse(header);
  if (!wanted.success) {
    throw new ConnectorAuthError('malformed_request', 'X-Organization-Id is not a UUID', {
      errors: [{ path: 'X-Organization-Id', message: 'Must be a UUID' }],
    });
  }
  const found = own.find(id => id === wanted.data.toLowerCase());
  if (found !== undefined) return found;
  throw new ConnectorAuthError('organization_not_allowed', 'The token gives no access to this organization');
}
