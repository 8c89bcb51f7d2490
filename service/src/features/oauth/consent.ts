import { ConnectorAuthError } from '@connector-auth/api';
import type { AuthMethod, Consent, Kind } from '@connector-auth/connectors/kind';
import type { OAuthApps, OwnedApp } from '../../shared/credentials/oauth-apps.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import type { StoredSession } from '../../shared/oauth-sessions/store.ts';

export type ConsentMethod = AuthMethod & { readonly consent: Consent };

export interface ConsentSubject {
  readonly kind: Kind;
  readonly method: ConsentMethod;
  readonly app: OwnedApp;
  /** The path of the redirect URL that is registered in the app at the vendor. */
  readonly callbackPath: string;
}

/** Returns a kind's OAuth method, or null if the kind does not support OAuth. */
function consentMethodOf(kind: Kind): ConsentMethod | null {
  const method = kind.authMethods.find(({ consent }) => consent);
  return method?.consent ? { ...method, consent: method.consent } : null;
}

/**
 * Returns the kind, auth method and OAuth app of a session.
 * @throws ConnectorAuthError `oauth_not_offered` if the OAuth app is no longer configured.
 */
export async function subjectOf(
  { kinds, apps }: { readonly kinds: KindRegistry; readonly apps: OAuthApps },
  session: StoredSession,
): Promise<ConsentSubject> {
  const kind = kinds.byKey(session.kind);
  const method = kind && consentMethodOf(kind);
  if (kind === null || !method)
    throw new ConnectorAuthError('internal_error', `This build has no OAuth method for ${session.kind}`);
  const choice = await apps.choiceOf(session.organizationId, kind);
  const app = choice.find(({ clientId }) => clientId === session.clientId);
  if (app !== undefined) {
    const callbackPath = await apps.callbackPathFor(app, session.organizationId, kind);
    return { kind, method, app, callbackPath };
  }
  throw new ConnectorAuthError(
    'oauth_not_offered',
    `The ${kind.name} OAuth app that this OAuth flow uses is no longer configured`,
  );
}
