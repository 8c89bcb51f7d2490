import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/engines.ts';
import { keyRing } from '../../test/started-service.ts';
import { createSealer } from './seal.ts';
import { refuseMissingKeys } from './sealed-columns.ts';

onEachEngine('a start', database => {
  test('goes on when the database holds nothing sealed', async () => {
    await refuseMissingKeys(database().kysely, createSealer(keyRing('k1', 1)));
  });

  test('is refused when a stored value needs a key that is not configured, and names it', async () => {
    const { kysely } = database();
    const [organizationId, customerId, row] = [randomUUID(), randomUUID(), randomUUID()];
    const old = createSealer(keyRing('old-key', 1));
    await kysely.insertInto('organizations').values({ id: organizationId, name: 'Acme' }).execute();
    await kysely
      .insertInto('customers')
      .values({ organization_id: organizationId, id: customerId, name: 'Ada' })
      .execute();
    await kysely
      .insertInto('connectors')
      .values({
        organization_id: organizationId,
        id: row,
        customer_id: customerId,
        kind: 'granola',
        name: 'Notes',
        auth_method: 'api_key',
        account: null,
        credentials: old.seal('{}', { organizationId, table: 'connectors', column: 'credentials', row }),
      })
      .execute();
    await refuseMissingKeys(kysely, old);
    await expect(refuseMissingKeys(kysely, createSealer(keyRing('k1', 1)))).rejects.toThrow(
      'values sealed with keys that are not configured: old-key. Add them to ENCRYPTION_KEYS',
    );
  });
});
