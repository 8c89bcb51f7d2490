import { ConnectorAuthError, type Endpoint } from '@connector-auth/api';
import type { AdminAccess } from '@connector-auth/api/admin';

/** An operator, authenticated by an admin key or by a session of the console. */
export interface AdminCaller {
  readonly kind: 'admin';
  /** Null for `ADMIN_TOKEN`. */
  readonly keyId: string | null;
  /** The key's name, or `ADMIN_TOKEN`. */
  readonly name: string;
  readonly access: AdminAccess;
  /** Null if the request carries the key itself. */
  readonly session: { readonly id: string; readonly expiresAt: Date } | null;
}

/** Lets the service and scanners recognize an admin key. */
export const adminKeyPrefix = 'ca_admin_';

/** Returns whether a bearer token has the form of an admin key. */
export function isAdminKey(token: string): boolean {
  return token.startsWith(adminKeyPrefix);
}

/** @throws ConnectorAuthError `admin_access_insufficient` if the key only reads and the endpoint needs more. */
export function requireAdminAccess(
  { access, name }: AdminCaller,
  endpoint: Pick<Endpoint, 'access' | 'method'>,
): void {
  const needed = endpoint.access ?? (endpoint.method === 'GET' ? 'read' : 'write');
  if (needed === 'read' || access === 'write') return;
  throw new ConnectorAuthError(
    'admin_access_insufficient',
    `The admin key "${name}" allows reading only: use a key with write access`,
  );
}
