import { randomUUID } from 'node:crypto';
import { sql, type KyselyPlugin } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { until } from '../../../test/until.ts';
import { createLog } from '../../platform/log/log.ts';
import { openNotifications } from '../../platform/notifications/notifications.ts';
import { insertRevocation } from '../repositories/revocations.ts';
import { Revocations } from './revocations.ts';

onPostgresOrEachEngineInFull('revocations', (database, engine) => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    vi.restoreAllMocks();
  });

  /** Opens what each process has. */
  const open = async (): Promise<Revocations> => {
    const log = createLog({ destination: { write: () => {} } });
    const notifications = openNotifications(database(), null, log);
    const revocations = await Revocations.open(database(), notifications, log);
    closing.push(async () => {
      await revocations.close();
      await notifications.close();
    });
    return revocations;
  };
  const addCustomer = () => ({ id: randomUUID() });
  const revokeAllOf = (revocations: Revocations, { id }: { id: string }) =>
    revocations.run((_transaction, revoke) => revoke({ customerId: id }));
  const isLive = (revocations: Revocations, customer: { id: string }): boolean =>
    revocations.denylist.isLive({
      kind: 'scoped',
      applicationId: randomUUID(),
      organizationId: randomUUID(),
      issuedAtUs: 1,
      customer,
    });

  test('forgets revocations that were deleted, and finds those that were committed very late, within a minute', async () => {
    const revocations = await open();
    const [old, late] = [addCustomer(), addCustomer()];
    await revokeAllOf(revocations, old);
    await sql`update token_revocations set not_before = now() - interval '26 minutes'
      where customer_id = ${old.id}`.execute(database().kysely);
    await sql`insert into token_revocations (customer_id, not_before)
      values (${late.id}, now() - interval '10 minutes')`.execute(database().kysely);
    // Reads what is new, and deletes the old one.
    await revokeAllOf(revocations, addCustomer());
    const { rows } = await sql`select from token_revocations where customer_id = ${old.id}`.execute(
      database().kysely,
    );
    expect(rows).toEqual([]);
    expect([isLive(revocations, old), isLive(revocations, late)]).toEqual([false, true]);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    await revokeAllOf(revocations, addCustomer());
    expect([isLive(revocations, old), isLive(revocations, late)]).toEqual([true, false]);
  });

  // PGlite has one connection, so its transactions commit in the order of their revocations.
  if (engine === 'postgres') {
    test('of another process are found if they commit after newer ones', async () => {
      const revocations = await open();
      const [late, newer] = [addCustomer(), addCustomer()];
      const hasRead = Promise.withResolvers<void>();
      const isRevoked = Promise.withResolvers<void>();
      // As a process that ends before it has revoked the tokens that were issued until its commit.
      const transaction = database()
        .kysely.transaction()
        .execute(async handle => {
          await insertRevocation(handle, { customerId: late.id });
          isRevoked.resolve();
          await hasRead.promise;
        });
      await isRevoked.promise;
      await revokeAllOf(revocations, newer);
      expect([isLive(revocations, newer), isLive(revocations, late)]).toEqual([false, true]);
      hasRead.resolve();
      await transaction;
      await until(() => expect(isLive(revocations, late)).toBe(false));
    });
  }

  test('share reads of the list if many tokens are revoked at once, and all take effect', async () => {
    const log = createLog({ destination: { write: () => {} } });
    const notifications = openNotifications(database(), null, log);
    let reads = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        reads += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const control = database().control.withPlugin(counting);
    const revocations = await Revocations.open({ ...database(), control }, notifications, log);
    const customers = Array.from({ length: 200 }, () => ({ id: randomUUID() }));
    await Promise.all(
      customers.map(({ id }) => revocations.run((_transaction, revoke) => revoke({ customerId: id }))),
    );
    const token = {
      kind: 'scoped',
      applicationId: randomUUID(),
      organizationId: randomUUID(),
      issuedAtUs: 1,
    } as const;
    for (const customer of customers) {
      expect(() => revocations.denylist.requireLive({ ...token, customer })).toThrow('was revoked');
    }
    expect(reads).toBeLessThan(100);
    await revocations.close();
    await notifications.close();
  });
});
