import { ConnectorAuthError, type Endpoint, type ProblemCode } from '@connector-auth/api';
import { z } from 'zod';
import { isAdminKey } from './admin-caller.ts';
import { hasAgentTokenForm } from './agent-token.ts';
import { bearerToken } from './bearer-token.ts';
import { resolveCaller, type Caller } from './caller.ts';
import { revokedError, type Denylist } from './denylist.ts';
import type { TokenContent, TokenSigner, WidgetContent } from './token-signer.ts';

/** The headers that identify the caller. Names are in lower case, as in Node. */
export interface CallerHeaders {
  readonly authorization?: string | undefined;
  readonly cookie?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
  readonly 'x-organization-id'?: string | string[] | undefined;
}

/** A request to an endpoint that requires a token. */
export interface AuthenticatedRequest {
  readonly headers: CallerHeaders;
  /** The caller's network address. */
  readonly address: string;
  readonly reportRejection: (rejection: Rejection) => void;
}

/** A caller who was not accepted: the event of the request's line in the log, and what it contains in addition. */
export interface Rejection {
  readonly event: 'token_rejected' | 'operator_rejected';
  readonly reason: ProblemCode;
  readonly kind?: TokenContent['kind'] | 'agent';
  readonly application_id?: string;
  readonly client_id?: string;
}

/**
 * Authenticates the caller of an endpoint. Validates the token and its kind, origin and organization, and that it
 * was not revoked.
 * @throws ConnectorAuthError with status 401 if the token is missing or invalid, 403 if the token does not
 * permit the request, 400 if the organization header is missing or invalid, or 503 if revocations are unknown.
 */
export type Authenticate = (request: AuthenticatedRequest, endpoint: CalledEndpoint) => Promise<Caller>;

type CalledEndpoint = Pick<Endpoint, 'callers' | 'needsOrganization'>;

/**
 * Creates the function that authenticates callers and reports each rejected token.
 * @param context.ownOrigin the service's origin. Required because same-origin requests from the service's own pages
 * omit `Origin`.
 */
export function createAuthenticate(context: {
  readonly signer: TokenSigner;
  readonly denylist: Denylist;
  readonly ownOrigin: string;
}): Authenticate {
  const { signer, denylist, ownOrigin } = context;
  return async ({ headers, reportRejection }, endpoint) => {
    const token = requireBearerToken(headers.authorization);
    let content: TokenContent | null = null;
    try {
      if (isAdminKey(token)) throw adminKeyNotAllowed();
      if (hasAgentTokenForm(token)) throw agentTokenNotAllowed();
      content = await signer.verify(token);
      denylist.requireLive(content);
      return requireCaller(content, headers, endpoint, { denylist, ownOrigin });
    } catch (error) {
      if (error instanceof ConnectorAuthError && (error.status === 401 || error.status === 403)) {
        reportRejection({
          event: 'token_rejected',
          reason: error.code,
          ...(content === null ? {} : { kind: content.kind, application_id: content.applicationId }),
        });
      }
      throw error;
    }
  };
}

function requireCaller(
  content: TokenContent,
  headers: CallerHeaders,
  endpoint: CalledEndpoint,
  { denylist, ownOrigin }: { readonly denylist: Denylist; readonly ownOrigin: string },
): Caller {
  if (!endpoint.callers.includes(content.kind)) {
    throw new ConnectorAuthError(
      'token_kind_not_allowed',
      `This endpoint requires ${endpoint.callers.map(kind => `an ${kind}`.replace(/^an (?=[^a])/, 'a ')).join(' or ')} token`,
    );
  }
  if (content.kind === 'widget') requireOrigin(content, headers, ownOrigin);
  else rejectForeignOrigin(content, headers, ownOrigin);
  const organizationIds = chooseOrganizations(content, headers['x-organization-id'], endpoint);
  if (content.kind !== 'application') return resolveCaller(content);
  for (const organizationId of organizationIds) {
    const token = { ...content, organizationId };
    // The application may have been removed from the organization, or the organization disabled.
    if (denylist.isLive(token)) return resolveCaller(token);
  }
  throw revokedError();
}

function requireBearerToken(authorization: string | undefined): string {
  const token = bearerToken(authorization);
  if (token !== null) return token;
  throw new ConnectorAuthError('token_missing', 'Send the header Authorization: Bearer <token>');
}

function adminKeyNotAllowed(): ConnectorAuthError {
  return new ConnectorAuthError(
    'token_kind_not_allowed',
    'This endpoint requires a token of an application. Admin keys are only for endpoints under /api/v1/admin',
  );
}

function agentTokenNotAllowed(): ConnectorAuthError {
  return new ConnectorAuthError(
    'token_kind_not_allowed',
    'This endpoint requires a token of an application. Tokens of agents are only for the MCP server, at the address that they were issued for',
  );
}

function requireOrigin({ allowedOrigin }: WidgetContent, headers: CallerHeaders, ownOrigin: string): void {
  const isSameOrigin = headers.origin === undefined && headers['sec-fetch-site'] === 'same-origin';
  const origin = isSameOrigin ? ownOrigin : headers.origin;
  if (origin !== allowedOrigin) {
    throw new ConnectorAuthError(
      'origin_not_allowed',
      `The widget token is only for pages on ${allowedOrigin}: each page needs a token that was minted for its own origin`,
    );
  }
}

/** Browsers send `Origin` from other sites' pages, where a token for backends must not be. */
function rejectForeignOrigin({ kind }: TokenContent, { origin }: CallerHeaders, ownOrigin: string): void {
  if (origin === undefined || origin === ownOrigin) return;
  throw new ConnectorAuthError(
    'origin_not_allowed',
    `${kind === 'application' ? 'An application' : 'A scoped'} token must stay on your server: use a widget token in pages`,
  );
}

const uuid = z.uuid();

/** Returns the organization of a request, or several if the endpoint needs none in particular. */
function chooseOrganizations(
  content: TokenContent,
  header: string | string[] | undefined,
  { needsOrganization = true }: CalledEndpoint,
): readonly string[] {
  const own = content.kind === 'application' ? content.organizationIds : [content.organizationId];
  if (header === undefined) {
    if (own.length === 1 || !needsOrganization) return own;
    throw new ConnectorAuthError(
      'organization_required',
      'The application belongs to several organizations. Send the id of one of them in the X-Organization-Id header (the option organizationId of connectorAuth() and createClient())',
    );
  }
  const wanted = uuid.safeParse(header);
  if (!wanted.success) {
    throw ConnectorAuthError.invalid('malformed_request', [
      { path: 'X-Organization-Id', message: 'Must be a UUID' },
    ]);
  }
  const found = own.find(id => id === wanted.data.toLowerCase());
  if (found !== undefined) return [found];
  throw new ConnectorAuthError(
    'organization_not_allowed',
    'The token does not grant access to this organization',
  );
}
