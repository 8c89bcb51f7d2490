import { ConnectorAuthError } from '@connector-auth/api';
import type { AdminKey, AdminSession, CreatedAdminKey } from '@connector-auth/api/admin';
import { addressKey } from '../../platform/concurrency/rate-limit.ts';
import { defaultPageSize } from '../../platform/database/paging.ts';
import type { AdminCaller } from '../../shared/auth/admin-caller.ts';
import type { Needs } from '../../shared/core.ts';
import type { AdminHandlers } from '../../shared/http/handler.ts';
import { listAdminKeys, touchAdminKey, type StoredAdminKey } from '../../shared/repositories/admin-keys.ts';
import {
  deleteSession,
  deleteSessionsOf,
  listSessions,
  type SignedInWith,
} from '../../shared/repositories/admin-sessions.ts';
import { authenticateKey, rejectWrongKey, type OperatorContext } from './authenticate.ts';
import { createAdminKey, removeAdminKey, type NewAdminKey } from './keys.ts';
import { hashOf } from './secrets.ts';
import type { SessionCookie } from './session-cookie.ts';
import { startSession } from './sessions.ts';
import { exchangeSetUpCode, isSetUpOpen } from './set-up.ts';

type AdminKeysContext = Needs<'db' | 'anonymous'> & {
  readonly operators: OperatorContext;
  readonly cookie: SessionCookie;
};

export function adminKeyRoutes({ db, anonymous, operators, cookie }: AdminKeysContext) {
  const { adminToken, wrongKeys, log } = operators;
  const hasAdminToken = adminToken !== null;

  return {
    getSetUpState: async () => ({ is_open: await isSetUpOpen(anonymous, hasAdminToken) }),

    setUp: async request => {
      const { body, address, requestId, setHeader, reportRejection, audit } = request;
      wrongKeys.requireAvailable(addressKey(address));
      const key = await exchangeSetUpCode(anonymous, { ...body, hasAdminToken }).catch(
        async (error: unknown) => {
          if (!(error instanceof ConnectorAuthError)) throw error;
          reportRejection({ event: 'operator_rejected', reason: error.code });
          if (error.code === 'setup_code_invalid') await rejectWrongKey(operators, address, error);
          throw error;
        },
      );
      audit({ actor: { type: 'admin_key', id: key.id, name: key.name, tokenId: null } });
      const { setCookie } = await startSession(anonymous, { keyId: key.id }, request, cookie);
      setHeader('Set-Cookie', setCookie);
      log.info('set_up', { request_id: requestId, address, admin_key_id: key.id });
      return toCreatedKey(key);
    },

    signIn: async request => {
      const { body, address, requestId, setHeader, reportRejection, audit } = request;
      const { caller, key } = await authenticateKey(operators, body.key, address).catch((error: unknown) => {
        if (error instanceof ConnectorAuthError) {
          reportRejection({ event: 'operator_rejected', reason: error.code });
        }
        throw error;
      });
      audit({ actor: { type: 'admin_key', id: caller.keyId, name: caller.name, tokenId: null } });
      const session = await startSession(operators.db, signedInWith(caller), request, cookie);
      audit({ targetId: session.id });
      if (key?.isTouchDue === true) await touchAdminKey(operators.db, key.id);
      setHeader('Set-Cookie', session.setCookie);
      log.info('operator_signed_in', { request_id: requestId, address, admin_key_id: caller.keyId });
      return toSession(caller, session.expiresAt);
    },

    getSession: async ({ caller }) => toSession(caller, caller.session?.expiresAt ?? null),

    signOut: async ({ caller, query, setHeader, audit }) => {
      if (query.everywhere === true) {
        audit({ action: 'sessions.ended' });
        await deleteSessionsOf(db, caller.keyId);
      } else if (caller.session !== null) {
        audit({ targetId: caller.session.id });
        await deleteSession(db, caller.session);
      }
      setHeader('Set-Cookie', cookie.clear());
    },

    listSessions: async ({ caller }) => ({
      data: (await listSessions(db, signedInWith(caller))).map(session => ({
        ...session,
        is_current: session.id === caller.session?.id,
        created_at: session.created_at.toISOString(),
        last_used_at: session.last_used_at.toISOString(),
        expires_at: session.expires_at.toISOString(),
      })),
    }),

    deleteSession: async ({ caller, params }) => {
      if (await deleteSessionsOf(db, caller.keyId, params.session_id)) return;
      throw new ConnectorAuthError(
        'admin_session_not_found',
        'No session of this key has this id, or it has ended',
      );
    },

    listAdminKeys: async ({ query }) => {
      const { rows, meta } = await listAdminKeys(db, {
        limit: query.limit ?? defaultPageSize,
        cursor: query.cursor,
      });
      return { data: rows.map(toAdminKey), meta };
    },

    createAdminKey: async ({ caller, body, requestId }) => {
      const { name, access, expires_at: expiresAt } = body;
      const key = await createAdminKey(db, { name, access, expiresAt });
      log.info('admin_key_created', {
        request_id: requestId,
        by: caller.keyId,
        admin_key_id: key.id,
        access,
      });
      return toCreatedKey(key);
    },

    deleteAdminKey: async ({ caller, params, query, requestId }) => {
      await removeAdminKey(db, params.key_id, { mayBeLast: hasAdminToken || query.force === true });
      log.info('admin_key_deleted', { request_id: requestId, by: caller.keyId, admin_key_id: params.key_id });
    },
  } satisfies Partial<AdminHandlers>;

  function signedInWith({ keyId }: AdminCaller): SignedInWith {
    if (keyId !== null) return { keyId };
    // Without ADMIN_TOKEN, every caller has a key.
    return { adminTokenHash: hashOf(adminToken?.reveal() ?? '') };
  }
}

function toSession({ name, keyId, access }: AdminCaller, expiresAt: Date | null): AdminSession {
  return { name, key_id: keyId, access, expires_at: expiresAt?.toISOString() ?? null };
}

function toAdminKey({ id, name, access, createdAt, expiresAt, lastUsedAt }: StoredAdminKey): AdminKey {
  return {
    id,
    name,
    access,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}

function toCreatedKey(key: NewAdminKey): CreatedAdminKey {
  return { ...toAdminKey(key), key: key.secret };
}
