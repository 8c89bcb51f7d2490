import { kinds } from '@connector-auth/connectors';
import { createTransport, type Transport } from '@connector-auth/connectors/kind';
import { startSandbox } from '@connector-auth/sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodCredentials } from '../../../test/synced-records.ts';
import { startTestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { searchableEntities } from '../../shared/definitions/searchable-entities.ts';

/** The vendor's responses to each time slice, of which several run at once. */
const maxRoundTrips = 6;

onPostgresOrEachEngineInFull('the first records of a new connector', database => {
  // Google Ads first needs a request for each account with which the user can sign in.
  const tested = kinds.filter(({ key }) => key !== 'google-ads');
  test.each(tested.map(kind => [kind.key, kind] as const))(
    '%s: 100 are found after 6 round trips to the vendor',
    async (key, kind) => {
      const sandbox = await startSandbox();
      const send = createTransport({ sandboxUrl: sandbox.url });
      const roundTrips = new Map<unknown, number>();
      // The requests of a time slice follow each other, and have its signal.
      const transport: Transport = (request, call) => {
        const count = (roundTrips.get(call.signal) ?? 0) + 1;
        if (call.signal) roundTrips.set(call.signal, count);
        if (count <= maxRoundTrips) return send(request, call);
        return new Promise((_, reject) => {
          call.signal?.addEventListener('abort', () => reject(new Error('The slice has ended')));
        });
      };
      const service = await startTestService(database(), { sandbox, transport, kinds: [kind] });
      onTestFinished(async () => {
        await service.close();
        await sandbox.close();
      });
      const token = await service.tokenOf(await service.addApplication('own', ['Own']));
      const created = await service.ask('POST', '/api/v1/integrations/connectors', {
        token,
        body: {
          customer_name: 'acme',
          connector_type: key,
          name: key,
          credentials: goodCredentials(sandbox, key),
        },
      });
      expect(created.status, JSON.stringify(created.body)).toBe(201);
      roundTrips.clear();
      await service.startSync();
      const find = async (entity: string): Promise<number> => {
        const found = await service.ask(
          'POST',
          `/api/v1/integrations/connectors/${created.body.id}/execute`,
          {
            token,
            body: { entity, action: 'search', params: { query: {}, limit: 100 } },
          },
        );
        return found.body.result?.data.length ?? 0;
      };
      await until(async () => {
        const counts = await Promise.all(searchableEntities(kind).map(find));
        expect(
          counts.reduce((sum, count) => sum + count),
          `${counts.join()} after ${[...roundTrips.values()].join()}`,
        ).toBeGreaterThanOrEqual(100);
      });
    },
  );
});
