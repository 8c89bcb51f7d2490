/** What authenticates a connection: credentials in the shape of one auth method, and what the vendor told at consent. */
export interface Grant {
  /** Id of the auth method whose shape the credentials have. */
  readonly method: string;
  readonly credentials: Readonly<Record<string, unknown>>;
  /** What the vendor told and later calls need, e.g. an API host or account ids. */
  readonly state: Readonly<Record<string, unknown>>;
  /** What the customer set about synchronising, in the shape of the kind's `settings`. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The OAuth app that a platform or an organization registered at a vendor. */
export interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Vendor extras, e.g. Google's developer token, by lower-case name. */
  readonly extras: Readonly<Record<string, string>>;
}

/**
 * Where a connection's grant is kept. The rule both modes obey: a renewed grant is stored before anyone uses it, and a
 * stale grant is renewed once, however many calls find it stale at the same time.
 */
export interface Grants {
  read(): Promise<Grant>;
  /**
   * Gives a grant newer than `stale`: the one already stored if there is one, else what `renew` makes of the stored one.
   */
  renew(stale: Grant, renew: (current: Grant) => Promise<Grant>): Promise<Grant>;
}

/** Longest wait for a vendor's answer to a renewal: whoever guards renewals by a lease makes it longer than this. */
export const renewalTimeoutMs = 15_000;

/**
 * Keeps a grant in this process.
 * @param onChange is awaited before a new grant is used, so that a crash cannot lose a single-use refresh token.
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
