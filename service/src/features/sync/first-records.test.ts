import { once } from 'node:events';
import { kinds } from '@connector-auth/connectors';
import { createTransport, type Transport } from '@connector-auth/connectors/kind';
import { startSandbox } from '@connector-auth/sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodCredentials } from '../../../test/synced-records.ts';
import { startTestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { searchableEntities } from '../../shared/definitions/searchable-entities.ts';

/** How often each time slice waits for the vendor. Several run at once. */
const maxRoundTrips = 6;

onPostgresOrEachEngineInFull('the first records of a new connector', database => {
  test.each(kinds.map(kind => [kind.key, kind] as const))(
    '%s: 100 are found after 6 round trips to the vendor',
    async (key, kind) => {
      const sandbox = await startSandbox();
      const send = createTransport({ sandboxUrl: sandbox.url });
      const roundTrips = new Map<unknown, number>();
      // All requests of a time slice have its signal. Those that are sent before a response arrives share a round trip.
      const transport: Transport = async (request, call) => {
        const { signal } = call;
        const count = (roundTrips.get(signal) ?? 0) + 1;
        if (count > maxRoundTrips) await once(signal ?? new EventTarget(), 'abort');
        const response = await send(request, call);
        if (signal) roundTrips.set(signal, Math.max(count, roundTrips.get(signal) ?? 0));
        return response;
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
