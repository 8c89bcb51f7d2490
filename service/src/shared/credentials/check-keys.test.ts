import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { keyRing } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { createSealer, type Sealer } from '../../platform/crypto/seal.ts';
import { keyIdIn } from '../../platform/crypto/sealed-columns.ts';
import { silentLog } from '../../platform/log/log.ts';
import { checkEncryptionKeys } from './check-keys.ts';
import { reencryptOldValues } from './reencrypt.ts';

onPostgresOrEachEngineInFull('the encryption key check', (database, engine) => {
  beforeEach(async () => {
    await database().kysely.deleteFrom('organizations').execute();
  });

  test('passes if the database contains no encrypted values', async () => {
    const checked = checkEncryptionKeys(database().kysely, createSealer(keyRing('k1', 1)));
    await expect(checked).resolves.toBeUndefined();
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
        credentials: sealer.seal('{}', {
          organizationId,
          table: 'connectors',
          column: 'credentials',
          row,
          owner: { customerId, kind: 'granola', version: 1 },
        }),
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
          owner: { customerId: null, kind: 'gong', version: null },
        }),
      })
      .execute();
  };

  /** Corrupts the last byte of a stored value. */
  const damageOne = async (): Promise<string> => {
    const { kysely } = database();
    const { id } = await kysely.selectFrom('connectors').select('id').limit(1).executeTakeFirstOrThrow();
    await sql`update connectors set credentials = set_byte(credentials, octet_length(credentials) - 1,
      (get_byte(credentials, octet_length(credentials) - 1) + 1) % 256) where id = ${id}`.execute(kysely);
    return id;
  };

  test('reports the id of a key that is not configured', async () => {
    const { kysely } = database();
    const old = createSealer(keyRing('old-key', 1));
    await storeSealedWith(old);
    await checkEncryptionKeys(kysely, old);
    await expect(checkEncryptionKeys(kysely, createSealer(keyRing('k1', 1)))).rejects.toThrow(
      'values encrypted with keys that are not configured: old-key. Add them to ENCRYPTION_KEYS',
    );
  });

  test('reports the id of a key that differs from the configured one', async () => {
    const { kysely } = database();
    const both = createSealer([...keyRing('new-key', 2), ...keyRing('old-key', 1)]);
    await storeSealedWith(both);
    await checkEncryptionKeys(kysely, both);
    const swapped = createSealer([...keyRing('new-key', 3), ...keyRing('old-key', 1)]);
    await expect(checkEncryptionKeys(kysely, swapped)).rejects.toThrow(
      'values in the database cannot be decrypted with the configured keys that have these ids: new-key. The values were encrypted with different keys',
    );
  });

  test('fails if a value was moved to another customer', async () => {
    const { kysely } = database();
    const keys = createSealer(keyRing('key', 1));
    await storeSealedWith(keys);
    await kysely.deleteFrom('oauth_apps').execute();
    const { organization_id } = await kysely
      .selectFrom('customers')
      .select('organization_id')
      .executeTakeFirstOrThrow();
    const id = randomUUID();
    await kysely.insertInto('customers').values({ organization_id, id, name: 'Eve' }).execute();
    await kysely.updateTable('connectors').set({ customer_id: id }).execute();
    await expect(checkEncryptionKeys(kysely, keys)).rejects.toThrow('have these ids: key');
  });

  test('passes if only one of several encrypted values is damaged', async () => {
    const { kysely } = database();
    const keys = createSealer(keyRing('key', 1));
    await storeSealedWith(keys);
    await storeSealedWith(keys);
    await damageOne();
    await expect(checkEncryptionKeys(kysely, keys)).resolves.toBeUndefined();
  });

  describe('re-encryption', () => {
    const [oldKey, newKey] = [keyRing('old-key', 1), keyRing('new-key', 2)];
    const both = createSealer([...newKey, ...oldKey]);
    const reseal = () => reencryptOldValues(database().kysely, both, silentLog, new AbortController().signal);
    const keysOf = async (ids: (id: string) => boolean): Promise<string[]> => {
      const { rows } = await sql<{ id: string; key: string }>`
        select id, ${keyIdIn('credentials')} as key from connectors`.execute(database().kysely);
      return rows.flatMap(({ id, key }) => (ids(id) ? [key] : []));
    };

    test('re-encrypts values, so that the old key is no longer needed', async () => {
      await storeSealedWith(createSealer(oldKey));
      await storeSealedWith(createSealer(newKey));
      await reseal();
      await checkEncryptionKeys(database().kysely, createSealer(newKey));
      expect(await keysOf(() => true)).toEqual(['new-key', 'new-key']);
    });

    test('re-encrypts all grants that one connector had', async () => {
      const { kysely } = database();
      const [organizationId, customerId, row] = [randomUUID(), randomUUID(), randomUUID()];
      const old = createSealer(oldKey);
      const place = { organizationId, table: 'connectors', column: 'credentials', row } as const;
      const queued = Array.from({ length: 101 }, (_, version) => ({
        organization_id: organizationId,
        customer_id: customerId,
        customer_name: 'Ada',
        kind: 'google-ads',
        auth_method: 'oauth',
        subject_id: row,
        credentials_version: version,
        connector_credentials: old.seal('{}', {
          ...place,
          owner: { customerId, kind: 'google-ads', version },
        }),
        state: 'pending' as const,
      }));
      await kysely.insertInto('grant_revocations').values(queued).execute();
      await reseal();
      const { rows } = await sql<{ key: string }>`
        select distinct ${keyIdIn('connector_credentials')} as key from grant_revocations`.execute(kysely);
      expect(rows).toEqual([{ key: 'new-key' }]);
      await kysely.deleteFrom('grant_revocations').execute();
    });

    // PGlite has one connection.
    if (engine === 'postgres')
      test('notifies once for all connectors of a batch, which does not wait for those that are in use', async () => {
        const { kysely, connectorChanges } = database();
        for (let count = 0; count < 102; count += 1) await storeSealedWith(createSealer(oldKey));
        const { id } = await kysely.selectFrom('connectors').select('id').limit(1).executeTakeFirstOrThrow();
        const reported: (string | null)[] = [];
        connectorChanges.listen(changed => reported.push(changed));
        const resealing = await kysely.transaction().execute(async transaction => {
          await sql`select from connectors where id = ${id} for update`.execute(transaction);
          const resealed = reseal();
          await until(() => expect(reported).toEqual([null]));
          expect(await keysOf(other => other !== id)).toEqual(Array<string>(101).fill('new-key'));
          expect(await keysOf(other => other === id)).toEqual(['old-key']);
          // In an object, because the transaction would wait for the promise.
          return { resealed };
        });
        await resealing.resealed;
        expect(await keysOf(other => other === id)).toEqual(['new-key']);
        // The last report is about the OAuth apps.
        expect(reported).toEqual([null, id, null]);
      });

    test('skips values that cannot be decrypted', async () => {
      for (let count = 0; count < 3; count += 1) await storeSealedWith(createSealer(oldKey));
      const damaged = await damageOne();
      await reseal();
      expect(await keysOf(id => id === damaged)).toEqual(['old-key']);
      expect(await keysOf(id => id !== damaged)).toEqual(['new-key', 'new-key']);
    });
  });
});
