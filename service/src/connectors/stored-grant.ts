import { ConnectorAuthError, parseJson, stringifyJson } from '@connector-auth/api';
import type { Grant, Grants } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Sealer } from '../storage/seal.ts';
import type { Tables } from '../storage/tables.ts';
import { findConnector, replaceGrant, type StoredConnector } from './store.ts';

type Row = Pick<StoredConnector, 'id' | 'organizationId'>;

/** Seals a grant for the row of its connector. */
export function sealGrant(sealer: Sealer, row: Row, { credentials, state, settings }: Grant): Uint8Array {
  return sealer.seal(stringifyJson({ credentials, state, settings }), placeOf(row));
}

/** The grant of a stored connector. */
export function openGrant(sealer: Sealer, stored: StoredConnector): Grant {
  const text = sealer.open(stored.sealedGrant, placeOf(stored));
  return { method: stored.authMethod, ...sealedMembers.parse(parseJson(text)) };
}

const members = z.record(z.string(), z.unknown());
const sealedMembers = z.object({ credentials: members, state: members, settings: members });

function placeOf({ organizationId, id }: Row) {
  return { organizationId, table: 'connectors', column: 'credentials', row: id } as const;
}

/**
 * The grant of a stored connector in use: opened once, renewed in the database. A renewed grant is stored before anyone uses it, and
 * only over the version it was made from.
 */
export class StoredGrant implements Grants {
  readonly #db: Kysely<Tables>;
  readonly #sealer: Sealer;
  #stored: StoredConnector;
  #grant: Grant;

  constructor({ db, sealer }: { db: Kysely<Tables>; sealer: Sealer }, stored: StoredConnector) {
    this.#db = db;
    this.#sealer = sealer;
    this.#stored = stored;
    this.#grant = openGrant(sealer, stored);
  }

  /** Version of the grant in use. */
  get version(): number {
    return this.#stored.grantVersion;
  }

  read(): Promise<Grant> {
    return Promise.resolve(this.#grant);
  }

  async renew(stale: Grant, renew: (current: Grant) => Promise<Grant>): Promise<Grant> {
    if (this.#grant !== stale || (await this.#reload())) return this.#grant;
    const renewed = await renew(this.#grant);
    await replaceGrant(this.#db, this.#stored, this.version, {
      authMethod: renewed.method,
      sealedGrant: sealGrant(this.#sealer, this.#stored, renewed),
      account: this.#stored.account,
    });
    // Whether ours was stored or somebody was faster: what is stored now is the one to use.
    await this.#reload();
    return this.#grant;
  }

  /** Takes over what is stored now; true when it is newer than what was in use. */
  async #reload(): Promise<boolean> {
    const stored = await findConnector(this.#db, this.#stored, this.#stored.id);
    if (stored === null)
      throw new ConnectorAuthError('connector_not_found', 'The connector was deleted meanwhile');
    if (stored.grantVersion === this.version) return false;
    this.#stored = stored;
    this.#grant = openGrant(this.#sealer, stored);
    return true;
  }
}
