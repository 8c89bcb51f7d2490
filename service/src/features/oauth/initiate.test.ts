import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { page, useConsentHarness } from '../../../test/consent-harness.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { until } from '../../../test/until.ts';

onPostgresOrEachEngineInFull('starting an OAuth flow while its customer is deleted', (database, engine) => {
  const harness = useConsentHarness(database);

  /**
   * Sends a request while a transaction is deleting the request's customer. The transaction commits once the
   * request is waiting for the transaction's lock.
   */
  const besideDeletion = async <TestResponse>(ask: () => Promise<TestResponse>): Promise<TestResponse> => {
    const { asked } = await database()
      .kysely.transaction()
      .execute(async transaction => {
        await transaction.deleteFrom('customers').where('name', '=', 'acme').execute();
        const asked = ask();
        // The embedded engine has a single connection, so the request waits for the whole transaction.
        if (engine === 'postgres') {
          await until(async () => {
            const { rows } = await sql`select from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`.execute(database().kysely);
            expect(rows).toHaveLength(1);
          });
        }
        return { asked };
      });
    return asked;
  };

  test('recreates a deleted customer for an application', async () => {
    const response = await besideDeletion(() =>
      harness.initiate(
        { customer_name: 'acme', redirect_url: `${page}/` },
        { token: harness.token, headers: {} },
      ),
    );
    expect(response.status, response.text).toBe(200);
  });

  test('rejects a deleted customer’s own token with token_invalid', async () => {
    const response = await besideDeletion(() => harness.initiate());
    expect(response.status, response.text).toBe(401);
    expect(response.body.code).toBe('token_invalid');
  });
});
