import type { AdminSession } from '@connector-auth/api/admin';
import type { AdminCaller } from '../auth/admin-caller.ts';
import type { AdminHandlers } from '../http/handler.ts';

export function adminKeyRoutes(): Pick<AdminHandlers, 'getSession'> {
  return {
    getSession: async ({ caller }) => toSession(caller),
  };
}

function toSession({ name, keyId, access, session }: AdminCaller): AdminSession {
  return { name, key_id: keyId, access, expires_at: session?.expiresAt.toISOString() ?? null };
}
