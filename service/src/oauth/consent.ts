import { ConnectorAuthError } from '@connector-auth/api';
import type { AuthMethod, Consent, Kind } from '@connector-auth/connectors/kind';
import type { OAuthApps, OwnedApp } from '../credentials/oauth-apps.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import type { StoredSession } from '../oauth-sessions/store.ts';

/** Path that vendors redirect to. */
export const callbackPath = '/oauth/callback';

/** A kind's auth method that asks for consent. */
export type ConsentMethod = AuthMethod & { readonly consent: Consent };

/** What a session asks for: a kind, its way to consent, and the OAuth app that it began with. */
export interface ConsentSubject {
  readonly kind: Kind;
  readonly method: ConsentMethod;
  readonly app: OwnedApp;
}

/** The auth method of a kind that asks for consent; null when it has none. */
function consentMethodOf(kind: Kind): ConsentMethod | null {
  const method = kind.authMethods.find(({ consent }) => consent);
  return method?.consent ? { ...method, consent: method.consent } : null;
}

/**
 * What a session asks for.
 * @throws ConnectorAuthError `oauth_not_offered` when its OAuth app was taken away meanwhile.
 */
export async function subjectOf(
  { kinds, apps }: { readonly kinds: KindRegistry; readonly apps: OAuthApps },
  session: StoredSession,
): Promise<ConsentSubject> {
  const kind = kinds.byKey(session.kind);
  const method = kind && consentMethodOf(kind);
  if (kind === null || !method)
    throw new ConnectorAuthError('internal_error', `This build asks for no consent of ${session.kind}`);
  const choice = await apps.choiceOf(session.organizationId, kind);
  const app = choice.find(({ clientId }) => clientId === session.clientId);
  if (app !== undefined) return { kind, method, app };
  throw new ConnectorAuthError(
    'oauth_not_offered',
    `The OAuth app that this consent for ${kind.name} began with is no longer configured`,
  );
}
