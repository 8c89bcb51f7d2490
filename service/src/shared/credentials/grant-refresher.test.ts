import { ConnectorAuthError } from '@connector-auth/api';
import type { Grant } from '@connector-auth/connectors/kind';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { keyRing } from '../../../test/test-service.ts';
import type { AuditEntry } from '../../platform/audit-log/entry.ts';
import { createSealer } from '../../platform/crypto/seal.ts';
import { retryWrite } from '../../platform/database/retry-write.ts';
import { silentLog } from '../../platform/log/log.ts';
import { openNotifications } from '../../platform/notifications/notifications.ts';
import {
  findConnector,
  insertConnector,
  setStatus,
  type StoredConnector,
} from '../repositories/connectors.ts';
import { ensureCustomer } from '../repositories/customers.ts';
import { ensureOrganization } from '../repositories/organizations.ts';
import { GrantRefresher } from './grant-refresher.ts';
import { openGrant, sealGrant } from './sealed-grant.ts';

const sealer = createSealer(keyRing('sealing', 2));
const grantWith = (token: string): Grant => ({
  method: 'oauth',
  credentials: { refresh_token: token },
  state: {},
  settings: {},
});
const rejected = new ConnectorAuthError('reauthentication_required', 'The vendor rejected the grant');

/** Returns a fake vendor refresh that the test completes explicitly. */
function heldRenewal() {
  const arrived = Promise.withResolvers<Grant>();
  const outcome = Promise.withResolvers<Grant>();
  const renew = (current: Grant): Promise<Grant> => {
    arrived.resolve(current);
    return outcome.promise;
  };
  return { renew, arrived: arrived.promise, answer: outcome.resolve, reject: outcome.reject };
}

onPostgresOrEachEngineInFull('the grant refresher', database => {
  let stored: StoredConnector;
  /** The two refreshers simulate two processes, which share only the database. */
  let one: GrantRefresher;
  let other: GrantRefresher;
  let recorded: AuditEntry[];

  const reload = async (): Promise<StoredConnector> => {
    const found = await findConnector(database().kysely, { ...stored, customerId: null }, stored.id);
    if (found === null) throw new Error('The connector is gone');
    return found;
  };
  const tokenNow = async () => openGrant(sealer, await reload()).credentials['refresh_token'];
  const endLease = () =>
    sql`update leases set expires_at = now() - interval '1 second'`.execute(database().kysely);

  beforeEach(async () => {
    const db = database().kysely;
    const organizationId = await db.transaction().execute(async each => ensureOrganization(each, 'Acme'));
    const customerId = await ensureCustomer(db, organizationId, 'acme');
    const row = { organizationId, id: crypto.randomUUID(), customerId, kind: 'gong' };
    const sealedGrant = sealGrant(sealer, row, 1, grantWith('first'));
    const columns = { name: 'Calls', authMethod: 'oauth', account: null, sealedGrant };
    await insertConnector(db, { ...row, ...columns });
    const found = await findConnector(db, { organizationId, customerId }, row.id);
    if (found === null) throw new Error('The connector was not stored');
    stored = found;
    const office = () => ({ db, notifications: openNotifications(database(), null, silentLog) });
    recorded = [];
    const audit = { record: (entry: AuditEntry) => void recorded.push(entry) };
    one = new GrantRefresher(office(), sealer, audit, silentLog);
    other = new GrantRefresher(office(), sealer, audit, silentLog);
  });

  test('refreshes a grant once for concurrent callers, and stores it before returning it', async () => {
    let count = 0;
    const renew = async (): Promise<Grant> => {
      count += 1;
      expect(await tokenNow()).toBe('first');
      return grantWith('second');
    };
    const all = Array.from({ length: 20 }, (_, index) => (index % 2 ? one : other).renew(stored, renew));
    const versions = (await Promise.all(all)).map(({ grantVersion }) => grantVersion);
    expect(count).toBe(1);
    expect(versions).toEqual(Array(20).fill(stored.grantVersion + 1));
    expect(await tokenNow()).toBe('second');
  });

  test('records each refresh in the audit log, with its outcome', async () => {
    const failing = one.renew(stored, () => Promise.reject(new ConnectorAuthError('vendor_failed', 'Down')));
    await expect(failing).rejects.toThrow('Down');
    const renewals = [one, other, one].map(refresher =>
      refresher.renew(stored, () => Promise.resolve(grantWith('second'))),
    );
    await Promise.all(renewals);
    expect(recorded.map(({ actor, action, outcome }) => [actor.type, action, outcome])).toEqual([
      ['service', 'grant.refreshed', 'vendor_failed'],
      ['service', 'grant.refreshed', 'ok'],
    ]);
    expect(recorded[1]).toMatchObject({
      organizationId: stored.organizationId,
      customer: { id: stored.customerId, name: 'acme' },
      connectorId: stored.id,
      kind: 'gong',
    });
    expect(JSON.stringify(recorded)).not.toContain('second');
  });

  test('returns the newer grant to a caller that has an older one', async () => {
    await one.renew(stored, () => Promise.resolve(grantWith('second')));
    const late = await other.renew(stored, () => Promise.reject(new Error('asked the vendor again')));
    expect(openGrant(sealer, late).credentials['refresh_token']).toBe('second');
  });

  test('reports a failed refresh to all waiting callers, and leaves the grant unchanged', async () => {
    const held = heldRenewal();
    const first = one.renew(stored, held.renew);
    await held.arrived;
    const second = one.renew(stored, () => Promise.reject(new Error('asked the vendor again')));
    const failure = new ConnectorAuthError('vendor_failed', 'The vendor failed');
    held.reject(failure);
    await expect(first).rejects.toBe(failure);
    await expect(second).rejects.toBe(failure);
    expect(await reload()).toMatchObject({ status: 'active', grantVersion: stored.grantVersion });
    await one.renew(stored, () => Promise.resolve(grantWith('second')));
    expect(await tokenNow()).toBe('second');
  });

  describe('a refresh that ends after its lease', () => {
    test('returns the grant that another lease holder stored during a slow refresh', async () => {
      const held = heldRenewal();
      const stalled = one.renew(stored, held.renew);
      await held.arrived;
      await endLease();
      await other.renew(stored, () => Promise.resolve(grantWith('of the other')));
      held.answer(grantWith('of the stalled'));
      const used = await stalled;
      expect(openGrant(sealer, used).credentials['refresh_token']).toBe('of the other');
      expect(await tokenNow()).toBe('of the other');
    });

    test('does not mark a newer grant as rejected after a slow refresh fails', async () => {
      const held = heldRenewal();
      const stalled = one.renew(stored, held.renew);
      await held.arrived;
      await endLease();
      await other.renew(stored, () => Promise.resolve(grantWith('of the other')));
      held.reject(rejected);
      const used = await stalled;
      expect(openGrant(sealer, used).credentials['refresh_token']).toBe('of the other');
      expect((await reload()).status).toBe('active');
    });

    test('restores a connector that another lease holder marked as needs_reauth', async () => {
      const held = heldRenewal();
      const stalled = one.renew(stored, held.renew);
      await held.arrived;
      await endLease();
      await expect(other.renew(stored, () => Promise.reject(rejected))).rejects.toBe(rejected);
      expect((await reload()).status).toBe('needs_reauth');
      held.answer(grantWith('second'));
      await stalled;
      expect(await reload()).toMatchObject({ status: 'active', grantVersion: stored.grantVersion + 1 });
      expect(await tokenNow()).toBe('second');
    });
  });

  test.each([
    ['disabled', sql`disabled_at = now()`],
    ['frozen', sql`incident_id = gen_random_uuid()`],
  ] as const)('does not refresh the grant of a connector that was %s meanwhile', async (status, change) => {
    await sql`update connectors set ${change} where id = ${stored.id}`.execute(database().kysely);
    const renewing = one.renew(stored, () => Promise.reject(new Error('asked the vendor')));
    await expect(renewing).rejects.toMatchObject({ code: `connector_${status}` });
  });

  test('stores a grant that the vendor refreshed while its connector was being disabled', async () => {
    const held = heldRenewal();
    const renewing = one.renew(stored, held.renew);
    await held.arrived;
    await sql`update connectors set disabled_at = now() where id = ${stored.id}`.execute(database().kysely);
    held.answer(grantWith('second'));
    await expect(renewing).rejects.toMatchObject({ code: 'connector_disabled' });
    expect(await tokenNow()).toBe('second');
  });

  test('takes over a refresh from a dead holder after its lease has expired', async () => {
    const held = heldRenewal();
    void one.renew(stored, held.renew);
    await held.arrived;
    const waiting = other.renew(stored, () => Promise.resolve(grantWith('second')));
    await endLease();
    await waiting;
    expect(await tokenNow()).toBe('second');
    held.answer(grantWith('too late'));
  });

  test('sets a connector to needs_reauth if its grant is rejected, and does not call the vendor again', async () => {
    await expect(one.renew(stored, () => Promise.reject(rejected))).rejects.toBe(rejected);
    expect((await reload()).status).toBe('needs_reauth');
    await expect(
      other.renew(await reload(), () => Promise.reject(new Error('asked the vendor again'))),
    ).rejects.toMatchObject({ code: 'reauthentication_required' });
  });

  test('does not set a connector to needs_reauth if the vendor rejected an older version of its grant', async () => {
    await one.renew(stored, () => Promise.resolve(grantWith('second')));
    await setStatus(database().kysely, stored, stored.grantVersion, 'needs_reauth');
    expect((await reload()).status).toBe('active');
  });

  test('fails to refresh a grant if its connector was deleted', async () => {
    await database().kysely.deleteFrom('connectors').execute();
    await expect(one.renew(stored, () => Promise.resolve(grantWith('second')))).rejects.toMatchObject({
      code: 'connector_not_found',
    });
  });

  test('becomes idle only after a running refresh has ended', async () => {
    const held = heldRenewal();
    const renewing = one.renew(stored, held.renew);
    await held.arrived;
    const idle = one.idle();
    held.answer(grantWith('second'));
    await idle;
    expect(await tokenNow()).toBe('second');
    await renewing;
  });
});

describe('retrying a write', () => {
  test('retries a write while the database is unavailable, and returns the result', async () => {
    const away = new ConnectorAuthError('overloaded', 'The database does not answer');
    let attempts = 0;
    const write = (): Promise<string> => {
      attempts += 1;
      return attempts < 3 ? Promise.reject(away) : Promise.resolve('stored');
    };
    expect(await retryWrite(write)).toBe('stored');
    expect(attempts).toBe(3);
  });

  test('does not retry a write after any other error', async () => {
    const error = new Error('the statement is wrong');
    await expect(retryWrite(() => Promise.reject(error))).rejects.toBe(error);
  });
});
