import { ConnectorAuthError, type Endpoint } from '@connector-auth/api';
import { z } from 'zod';
import type { Caller, WidgetCaller } from './caller.ts';
import type { TokenContent, TokenSigner } from './token-signer.ts';

/** The headers that identify the caller. Names are in lower case, as in Node. */
export interface CallerHeaders {
  readonly authorization?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
  readonly 'x-organization-id'?: string | string[] | undefined;
}

/**
 * Authenticates the caller of an endpoint. Validates the token and its kind, origin and organization.
 * @param ownOrigin the service's origin. Required because same-origin requests from the service's own pages
 * omit `Origin`.
 * @throws ConnectorAuthError with status 401 if the token is missing or invalid, 403 if the token does not
 * permit the request, or 400 if the organization header is missing or invalid.
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
      `This endpoint requires ${endpoint.callers.map(kind => `an ${kind}`.replace(/^an (?=[^a])/, 'a ')).join(' or ')} token`,
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
    throw new ConnectorAuthError(
      'origin_not_allowed',
      'The widget token is not valid for pages on this origin',
    );
  }
}

const uuid = z.uuid();

function chooseOrganization(content: TokenContent, header: string | string[] | undefined): string {
  const own = content.kind === 'application' ? content.organizationIds : ([content.organizationId] as const);
  if (header === undefined) {
    if (own.length === 1) return own[0];
    throw new ConnectorAuthError(
      'organization_required',
      'The application belongs to several organizations. Send the id of one of them in the X-Organization-Id header',
    );
  }
  const wanted = uuid.safeParse(header);
  if (!wanted.success) {
    throw ConnectorAuthError.invalid('malformed_request', [
      { path: 'X-Organization-Id', message: 'Must be a UUID' },
    ]);
  }
  const found = own.find(id => id === wanted.data.toLowerCase());
  if (found !== undefined) return found;
  throw new ConnectorAuthError(
    'organization_not_allowed',
    'The token does not grant access to this organization',
  );
}
