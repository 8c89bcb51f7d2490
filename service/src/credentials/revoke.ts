import { methodOf, type Grant, type Kind, type Transport } from '@connector-auth/connectors/kind';
import type { Log } from '../log/log.ts';
import { appForGrant, type AppChoice } from './oauth-apps.ts';

const revocationTimeoutMs = 5_000;

/**
 * Revokes a grant at the vendor, if the vendor supports it. Logs failures without retrying, because the
 * connector is deleted either way.
 */
export async function revokeGrant(
  { transport, log }: { readonly transport: Transport; readonly log: Log },
  kind: Kind,
  choice: AppChoice,
  grant: Grant,
): Promise<void> {
  try {
    const request = methodOf(kind, grant).consent?.revoke?.(grant, appForGrant(choice, grant)) ?? null;
    if (request === null) return;
    const response = await transport(request, {
      vendorName: kind.name,
      hosts: kind.hosts,
      timeoutMs: revocationTimeoutMs,
    });
    const failure = kind.readFailure(response, Date.now(), grant);
    log.info('grant_revoked', { kind: kind.key, status: response.status, is_accepted: failure === null });
  } catch (error) {
    log.warn('revocation_failed', { kind: kind.key, error });
  }
}
