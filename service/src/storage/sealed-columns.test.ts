import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { onEachEngine } from '../../test/engines.ts';
import { keyRing } from '../../test/started-service.ts';
import { createSealer, type Sealer } from './seal.ts';
import { refuseMissingKeys } from './sealed-columns.ts';

onEachEngine('a start', database => {
  beforeEach(async () => {
    await database().kysely.deleteFrom('organizations').execute();
  });

  test('goes on when the database holds nothing sealed', async () => {
    await refuseMissingKeys(database().kysely, createSealer(keyRing('k1', 1)));
  });

  const storeSealedWith = async (sealer: Sealer) => {
    const { kysely } = database();
    const [organizationId, customerId, row] = [randomUUID(), randomUUID(), randomUUID()];
    await kysely.insertInto('organizations').values({ id: organizationId, name: organizationId }).execute();
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
        credentials: sealer.seal('{}', { organizationId, table: 'connectors', column: 'credentials', row }),
      })
      .execute();
    await kysely
      .insertInto('oauth_apps')
      .values({
        organization_id: organizationId,
        kind: 'gong',
        client_id: 'app',
        configuration: sealer.seal('{}', {
          organizationId,
          table: 'oauth_apps',
          column: 'configuration',
          row: 'gong',
        }),
      })
      .execute();
  };

  test('is refused when a stored value needs a key that is not configured, and names it', async () => {
    const { kysely } = database();
    const old = createSealer(keyRing('old-key', 1));
    await storeSealedWith(old);
    await refuseMissingKeys(kysely, old);
    await expect(refuseMissingKeys(kysely, createSealer(keyRing('k1', 1)))).rejects.toThrow(
      'values sealed with keys that are not configured: old-key. Add them to ENCRYPTION_KEYS',
    );
  });

  test('is refused when the configured key is another one under the same id, and names it', async () => {
    const { kysely } = database();
    const both = createSealer([...keyRing('new-key', 2), ...keyRing('old-key', 1)]);
    await storeSealedWith(both);
    await refuseMissingKeys(kysely, both);
    const swapped = createSealer([...keyRing('new-key', 3), ...keyRing('old-key', 1)]);
    await expect(refuseMissingKeys(kysely, swapped)).rejects.toThrow(
      'values that the configured keys of these ids do not open: new-key. They were sealed with other keys',
    );
  });

  test('goes on when a single value of several is damaged', async () => {
    const { kysely } = database();
    const keys = createSealer(keyRing('key', 1));
    await storeSealedWith(keys);
    await storeSealedWith(keys);
    const { id } = await kysely.selectFrom('connectors').select('id').limit(1).executeTakeFirstOrThrow();
    await sql`update connectors set credentials = set_byte(credentials, octet_length(credentials) - 1,
      (get_byte(credentials, octet_length(credentials) - 1) + 1) % 256) where id = ${id}`.execute(kysely);
    await refuseMissingKeys(kysely, keys);
  });
});
