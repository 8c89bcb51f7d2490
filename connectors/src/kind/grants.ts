/**
 * The values that authenticate a connection: credentials for one auth method, and what the vendor returned
 * during the OAuth flow.
 */
export interface Grant {
  /** Id of the auth method that the credentials are for. */
  readonly method: string;
  readonly credentials: Readonly<Record<string, unknown>>;
  /** Values that the vendor returned and later calls need, such as an API host or account ids. */
  readonly state: Readonly<Record<string, unknown>>;
  /** The customer's sync settings, in the shape of the kind's `settings`. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The OAuth app that a platform or an organization registered with a vendor. */
export interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Vendor-specific values by lower-case name, such as Google's developer token. */
  readonly extras: Readonly<Record<string, string>>;
}

/**
 * Stores a connection's grant. In both modes, a refreshed grant is stored before it is used, and a stale
 * grant is refreshed only once, even if several concurrent calls find it stale.
 */
export interface Grants {
  read(): Promise<Grant>;
  /**
   * Returns a grant newer than `stale`: the stored grant if it is newer, otherwise the result of calling
   * `renew` with the stored grant.
   */
  renew(stale: Grant, renew: (current: Grant) => Promise<Grant>): Promise<Grant>;
}

/** Maximum wait for the response to a refresh request. A lease that guards refreshes must last longer. */
export const renewalTimeoutMs = 15_000;

/**
 * Stores a grant in memory.
 * @param onChange called and awaited before a new grant is used, so that a crash cannot lose a single-use
 * refresh token.
 */
export function grantsInMemory(first: Grant, onChange?: (grant: Grant) => Promise<void> | void): Grants {
  let current = first;
  let renewal: Promise<Grant> | null = null;
  return {
    read: () => Promise.resolve(current),
    renew: async (stale, renew) => {
      if (current !== stale) return current;
      renewal ??= (async () => {
        try {
          const renewed = await renew(current);
          await onChange?.(renewed);
          current = renewed;
          return renewed;
        } finally {
          renewal = null;
        }
      })();
      return renewal;
    },
  };
}
