import {
  asObject,
  readDeclared,
  type Sync,
  type SyncPage,
  type Vendor,
} from '@connector-auth/connectors/kind';
import { requestTo, syncByTime, type Resource } from '@connector-auth/connectors/rest';
import { z } from 'zod';
import { api, pages } from './resources.ts';

const time = { field: 'created', param: 'created[gte]', format: 'seconds' } as const;

/**
 * Stripe cannot filter its lists by the last change, but its events name what changed or was deleted in the last 30 days:
 * https://docs.stripe.com/api/events/list. After a longer pause, the next sync is a full one anyway.
 * @param type of events, with `*` for any text.
 */
export function syncByEvents(resource: Resource, type: string): Sync {
  const whole = syncByTime(resource, time);
  const events = {
    ...pages,
    noun: 'event',
    path: '/events',
    query: { ...pages.query, type },
    record: z.object({ id: z.string(), data: z.unknown() }),
  };
  const changes = syncByTime(events, time);
  return {
    incremental: true,
    onlyFullRunsFind: null,
    run: async function* (vendor, start) {
      if (start.since === null) return yield* whole.run(vendor, start);
      for await (const page of changes.run(vendor, start)) {
        const ids = new Set(page.records.flatMap(({ data }) => idOf(asObject(data)['object'], resource)));
        yield { ...page, ...(await readCurrent([...ids], resource, vendor)) };
      }
    },
  };
}

/** Returns the id of an event's object, if it is one of the resource: `customer.*` also matches events of subscriptions. */
function idOf(object: unknown, { noun }: Resource): string | readonly [] {
  const { object: type, id } = asObject(object);
  // The invoices of `invoice.upcoming` have no id.
  return type === noun && typeof id === 'string' ? id : [];
}

/**
 * Reads objects as they are now. An event contains its object as it was then, in the version of the API that its account had, and
 * Stripe lists the latest event first.
 */
async function readCurrent(
  ids: readonly string[],
  { path, record }: Resource,
  vendor: Vendor,
): Promise<Pick<SyncPage, 'records' | 'deleted'>> {
  const read = readDeclared(api.name, record);
  const objects = await Promise.all(
    ids.map(async id => {
      const request = requestTo(api, vendor.grant, { path: `${path}/{id}`, values: { id } });
      // A deleted customer has the member `deleted`, and other deleted objects are not found.
      const { status, body } = await vendor.send(request, { accept: [200, 404] });
      const isDeleted = status === 404 || asObject(body)['deleted'] === true;
      return { id, existing: isDeleted ? [] : [read(body)] };
    }),
  );
  return {
    records: objects.flatMap(({ existing }) => existing),
    deleted: objects.filter(({ existing }) => existing.length === 0).map(({ id }) => ({ id })),
  };
}
