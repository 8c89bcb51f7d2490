import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@connector-auth/api';
import { renewalTimeoutMs, type Grant, type Grants, type OAuthApp } from './grants.ts';
import { methodOf, type AuthMethod, type Kind } from './kind.ts';
import { createMask, headerSecretsOf, readMasked, secretsOf } from './mask.ts';
import type { Transport } from './transport.ts';
import type { VendorRequest } from './vendor.ts';

/** Provides a connection's grant and refreshes its access token (RFC 6749, section 6). */
export interface Renewal {
  /** Returns the grant. Refreshes it first if its access token is missing or about to expire. */
  current(): Promise<Grant>;
  /**
   * Returns a grant whose access token differs from the stale one, or the stale grant itself if its auth
   * method does not support refreshing.
   */
  renew(stale: Grant): Promise<Grant>;
  /** Stores a new state and returns the updated grant. */
  updateState(update: (state: Grant['state']) => Grant['state']): Promise<Grant>;
}

export interface RenewalContext {
  readonly kind: Kind;
  readonly grants: Grants;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly app: OAuthApp | null;
  /** Maximum wait for one response, in milliseconds. */
  readonly timeoutMs: number;
}

export function createRenewal({ kind, grants, transport, clock, app, timeoutMs }: RenewalContext): Renewal {
  async function renew(stale: Grant): Promise<Grant> {
    const method = methodOf(kind, stale);
    const { refresh } = method;
    if (!refresh) return stale;
    let renewed: Grant | null = null;
    for (let grant = stale; ;) {
      grant = await grants.renew(grant, async current => {
        // Sent once: a single-use refresh token (RFC 9700, section 4.14.2) may be spent even if no response arrived.
        const request = refresh.request(current, app);
        const response = await transport(request, {
          vendorName: kind.name,
          hosts: kind.hosts,
          timeoutMs: Math.min(timeoutMs, renewalTimeoutMs),
        });
        const mask = createMask([...secretsOf(kind, current, app), ...headerSecretsOf(request)]);
        renewed = readMasked(received => refresh.read(received, current, clock.now()), response, mask);
        return renewed;
      });
      // The stored grant may differ from the stale one in its state only and still have the stale access
      // token.
      if (!authorizesAlike(method, grant, stale)) return grant;
      if (renewed !== null && authorizesAlike(method, renewed, stale)) return grant;
    }
  }

  return {
    renew,
    current: async () => {
      const grant = await grants.read();
      const { refresh } = methodOf(kind, grant);
      return refresh?.isDue(grant, clock.now()) ? renew(grant) : grant;
    },
    // Goes through `grants.renew`, so that state updates and token refreshes never overwrite each other.
    updateState: async update => {
      let isStored = false;
      for (let grant = await grants.read(); ;) {
        grant = await grants.renew(grant, current => {
          isStored = true;
          return Promise.resolve({ ...current, state: update(current.state) });
        });
        if (isStored) return grant;
      }
    },
  };
}

const anyRequest: VendorRequest = { method: 'GET', url: 'https://vendor.example' };

/** Returns whether a request would carry the same credentials under both grants. */
function authorizesAlike({ authorize }: AuthMethod, one: Grant, other: Grant): boolean {
  return isDeepStrictEqual(authorize(anyRequest, one), authorize(anyRequest, other));
}
