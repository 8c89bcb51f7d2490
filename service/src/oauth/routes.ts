import type { Handlers } from '../http/handler.ts';
import { initiateOAuth, type InitiationContext } from './initiate.ts';
import { cancelSession, readSessionStatus, type StatusContext } from './status.ts';
import { forgetOldSessions } from './store.ts';

type Names = 'initiateOAuth' | 'getOAuthSession' | 'cancelOAuthSession';

const forgetEveryMs = 60_000;

export function oauthRoutes(context: InitiationContext & StatusContext): Pick<Handlers, Names> {
  let forgottenAt = 0;
  return {
    initiateOAuth: async ({ caller, body }) => {
      // Sessions are forgotten as sessions come: no timer.
      if (Date.now() - forgottenAt >= forgetEveryMs) {
        forgottenAt = Date.now();
        await forgetOldSessions(context.db);
      }
      return initiateOAuth(context, caller, body);
    },

    getOAuthSession: ({ caller, params, query, headers, signal }) =>
      readSessionStatus(context, caller, params.session_id, {
        waitSeconds: query.wait ?? 0,
        verifier: headers['x-oauth-verifier'],
        signal,
      }),

    cancelOAuthSession: ({ caller, params }) => cancelSession(context, caller, params.session_id),
  };
}
