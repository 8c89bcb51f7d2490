import { performance } from 'node:perf_hooks';
import { ConnectorAuthError, type TokenKind } from '@connector-auth/api';

/** The tokens that a revocation ends. An omitted property matches any value. */
export interface TokenFilter {
  readonly organizationId?: string;
  readonly kind?: TokenKind;
  readonly applicationId?: string;
  readonly customerId?: string;
}

/** Ends the matching tokens that were issued at or before `notBeforeUs`, the database's time in microseconds. */
export interface Revocation extends TokenFilter {
  readonly notBeforeUs: number;
}

const properties = ['organizationId', 'kind', 'applicationId', 'customerId'] as const;
type Property = (typeof properties)[number];

/** A token to check. An application token can omit the organization to skip revocations for single ones. */
export interface CheckedToken {
  readonly kind: TokenKind;
  readonly applicationId: string;
  readonly organizationId?: string;
  readonly customer?: { readonly id: string };
  readonly issuedAtUs: number;
}

/** The revocations of tokens, in memory, so that checking a token requires no query. */
export class Denylist {
  readonly #maxAgeMs: number;
  readonly #now: () => number;
  #readAt = -Infinity;
  /** For each combination of filtered properties in use, `notBeforeUs` by the values of these properties. */
  readonly #byProperties = new Map<string, { used: readonly Property[]; times: Map<string, number> }>();

  /**
   * @param maxAgeMs the maximum time since the list was read. `Infinity` if only this process can revoke tokens.
   * @param now a monotonic clock in milliseconds.
   */
  constructor(maxAgeMs: number, now = () => performance.now()) {
    this.#maxAgeMs = maxAgeMs;
    this.#now = now;
  }

  /** Replaces the list. `readAt` is the time of {@link now} when the query began. */
  replace(revocations: readonly Revocation[], readAt: number): void {
    // A slow query must not replace what a later one has read.
    if (readAt < this.#readAt) return;
    this.#byProperties.clear();
    this.add(revocations, readAt);
  }

  /** Adds what has changed since the list was read. `readAt` is the time of {@link now} when the query began. */
  add(revocations: readonly Revocation[], readAt: number): void {
    this.#readAt = Math.max(this.#readAt, readAt);
    for (const revocation of revocations) {
      const used = properties.filter(name => revocation[name] !== undefined);
      const group = this.#byProperties.get(used.join()) ?? { used, times: new Map<string, number>() };
      this.#byProperties.set(used.join(), group);
      const key = keyOf(used, revocation);
      group.times.set(key, Math.max(revocation.notBeforeUs, group.times.get(key) ?? 0));
    }
  }

  now(): number {
    return this.#now();
  }

  /**
   * Throws if the token was revoked.
   * @throws ConnectorAuthError `token_invalid`; `overloaded` if the list is too old to know.
   */
  requireLive(token: CheckedToken): void {
    if (!this.isLive(token)) throw revokedError();
  }

  /**
   * Returns whether the token was not revoked.
   * @throws ConnectorAuthError `overloaded` if the list is too old to know.
   */
  isLive(token: CheckedToken): boolean {
    if (this.#now() - this.#readAt > this.#maxAgeMs) {
      throw new ConnectorAuthError(
        'overloaded',
        'The service cannot check whether the token was revoked; try again in a moment',
        {
          retryAfterSeconds: 1,
        },
      );
    }
    for (const { used, times } of this.#byProperties.values()) {
      const notBeforeUs = times.get(keyOf(used, { ...token, customerId: token.customer?.id }));
      if (notBeforeUs !== undefined && token.issuedAtUs <= notBeforeUs) return false;
    }
    return true;
  }
}

export function revokedError(): ConnectorAuthError {
  return new ConnectorAuthError('token_invalid', 'The bearer token was revoked: request a new one');
}

function keyOf(
  used: readonly Property[],
  values: Readonly<Partial<Record<Property, string | undefined>>>,
): string {
  return used.map(name => values[name] ?? '').join();
}
