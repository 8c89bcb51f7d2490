import { ConnectorAuthError } from '@connector-auth/api';
import type { Grant, Kind } from '@connector-auth/connectors/kind';
import type { LimitUsage } from '../../platform/concurrency/limit-error.ts';
import { limitKeyOf, type Caller } from '../../shared/auth/caller.ts';
import type { Credentials } from '../../shared/credentials/credentials.ts';
import type { VerifiedGrant } from '../../shared/credentials/verify.ts';
import type { ConnectorsContext } from './context.ts';

/**
 * Verifies new credentials of a customer. Limits how many rejected credentials the customer or link can submit, so
 * that the service cannot be used to guess keys.
 * @throws LimitError `rate_limited`; ConnectorAuthError `credentials_refused`, or the vendor's failure.
 */
export async function verifyCredentials(
  {
    credentials,
    rejectedCredentials,
    usesSandbox,
    log,
  }: Pick<ConnectorsContext, 'credentials' | 'rejectedCredentials' | 'usesSandbox' | 'log'>,
  owner: Pick<Caller, 'organizationId' | 'link'> & { readonly customerName: string },
  { kind, grant }: { readonly kind: Kind; readonly grant: Grant },
  {
    reportLimit,
    ...verification
  }: Parameters<Credentials['verify']>[3] & { readonly reportLimit: (usage: LimitUsage) => void },
): Promise<VerifiedGrant> {
  const key = limitKeyOf(owner, owner.customerName);
  // Counted before the vendor responds, so that concurrent requests cannot exceed the limit.
  await rejectedCredentials.take(key);
  let isRejected = false;
  try {
    return await credentials.verify(owner.organizationId, kind, grant, verification);
  } catch (error) {
    isRejected = error instanceof ConnectorAuthError && error.code === 'credentials_refused';
    if (!usesSandbox && isForSandbox(grant)) {
      log.warn('sandbox_url_missing', {
        advice: 'The credentials are of the sandbox: start the service with SANDBOX_URL',
      });
    }
    throw error;
  } finally {
    if (!isRejected) await rejectedCredentials.refund(key);
    reportLimit(rejectedCredentials.usage(key));
  }
}

/** The sandbox's credentials are public, and say what they are. */
function isForSandbox({ credentials }: Grant): boolean {
  return Object.values(credentials).some(value => /[-_]sandbox[-_]/i.test(String(value)));
}
