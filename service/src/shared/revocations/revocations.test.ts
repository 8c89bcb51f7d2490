import { randomUUID } from 'node:crypto';
import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/engines.ts';
import { createLog } from '../../platform/log/log.ts';
import { openNotifications } from '../../platform/notifications/notifications.ts';
import { Revocations } from './revocations.ts';

onEachEngine('revocations', database => {
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
