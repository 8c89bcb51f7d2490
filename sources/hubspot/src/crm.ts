import {
  asObject,
  searchFieldsOf,
  type Entity,
  type Grant,
  type Vendor,
} from '@connector-auth/connectors/kind';
import {
  byCursor,
  get,
  list,
  requestTo,
  search,
  syncByTime,
  valueAt,
  type Paging,
  type Values,
} from '@connector-auth/connectors/rest';
import { z } from 'zod';

export const api = { name: 'HubSpot', url: 'https://api.hubapi.com' };

/** HubSpot sends the values of all properties as text. */
export const property = z.string().nullable();
const time = z.iso.datetime().nullable();

interface ObjectType {
  readonly noun: string;
  readonly plural: string;
  readonly path: string;
  /** The property with the time of the last change, which has another name for contacts. */
  readonly modified: string;
}

interface ShownType {
  readonly title: string;
  readonly description: string;
  readonly text: readonly string[];
  /** The properties that contain a number. */
  readonly decimals?: readonly string[];
}

/**
 * Declares an entity for a type of objects and some of their properties. HubSpot returns only the properties that a request names, so
 * an account's custom properties are not read.
 */
export function crmEntity<Properties extends Readonly<Record<string, typeof property>>>(
  { noun, plural, path, modified }: ObjectType,
  properties: Properties,
  { title, description, text, decimals = [] }: ShownType,
) {
  const names = Object.keys(properties);
  /** https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/basic/get-crm-v3-objects-contacts */
  const objects = {
    api,
    noun,
    plural,
    path,
    at: 'results',
    paging: byCursor({ param: 'after', next: 'paging.next.after' }),
    query: { limit: 100, properties: names.join(',') },
    record: z.object({
      id: z.string(),
      ...properties,
      archived: z.boolean().nullable(),
      createdAt: time,
      updatedAt: time,
    }),
    reshape: (wire: Values) => ({ ...asObject(wire['properties']), ...wire }),
  };
  const changed = {
    ...objects,
    paging: byId,
    request: ({ since }: Values, grant: Grant) => ({
      ...requestTo(api, grant, { method: 'POST', path: `${path}/search` }),
      body: {
        filterGroups: [{ filters: [{ propertyName: modified, operator: 'GTE', value: String(since) }] }],
        sorts: ['hs_object_id'],
        properties: names,
        limit: 200,
      },
    }),
  };
  // Lists all objects in the recycle bin, which keeps them for 90 days: https://knowledge.hubspot.com/records/restore-deleted-records
  const deleted = {
    ...objects,
    request: (_params: Values, grant: Grant) =>
      requestTo(api, grant, { path, values: { limit: 100, archived: true } }),
  };
  const getOne = get(objects);
  const numbers = decimals.map(name => [name, 'decimal'] as const);
  return {
    title,
    description,
    actions: {
      list: list(objects),
      get: {
        ...getOne,
        run: (params: Parameters<typeof getOne.run>[0], vendor: Vendor) =>
          getOne.run({ ...params, properties: objects.query.properties } as typeof params, vendor),
      },
    },
    search: search(objects, {
      fields: { ...searchFieldsOf(objects.record), ...Object.fromEntries(numbers) },
      indexed: ['createdAt', 'updatedAt', ...decimals, ...text],
      text,
      sync: syncByTime(objects, {
        field: 'updatedAt',
        param: 'since',
        format: 'milliseconds',
        // Changes take a few moments to appear in searches.
        overlapMs: 15 * 60_000,
        changed,
        deleted,
        onlyFullRunsFind: 'merged and permanently deleted objects',
      }),
    }),
  } satisfies Entity;
}

/**
 * A search has at most 10,000 results, also over several pages. Each page is therefore a new search for the objects after the last one:
 * https://developers.hubspot.com/docs/api-reference/2026-03/crm/search-the-crm
 */
const byId: Paging = {
  at: (first, cursor) => {
    const { filterGroups, ...body } = first.body as {
      readonly filterGroups: readonly [{ readonly filters: readonly object[] }];
    };
    const after = { propertyName: 'hs_object_id', operator: 'GT', value: cursor };
    return { ...first, body: { ...body, filterGroups: [{ filters: [...filterGroups[0].filters, after] }] } };
  },
  next: ({ response, records }) =>
    valueAt(response.body, 'paging.next.after') === undefined ? null : String(asObject(records.at(-1))['id']),
};
