import { z } from 'zod';
import { defineAction, type Entity, type SearchType } from '../kind/kind.ts';
import { advertiserId, pageParams } from './params.ts';
import { recordMapping } from './record.ts';
import { searchMapping } from './search.ts';
import { syncOfAdvertisers } from './sync.ts';
import { pageAfter, pageMeta, readPage, request } from './wire.ts';

/** The properties that distinguish the entities that TikTok lists by advertiser. */
export interface ListedEntity<R extends z.ZodObject, F extends Readonly<Record<string, SearchType>>> {
  readonly title: string;
  readonly access: string;
  readonly description: string;
  readonly summary: string;
  readonly path: string;
  readonly record: R;
  /** Maximum page size that TikTok accepts. */
  readonly maxPageSize: number;
  readonly search: {
    readonly fields: F;
    readonly primaryKey: readonly string[];
    readonly indexed: readonly string[];
    readonly text: readonly string[];
    readonly times?: readonly string[];
  };
}

/**
 * Creates an entity whose list params are an advertiser and a page: campaigns, ad groups, ads, audiences,
 * images or videos.
 */
export function listedEntity<R extends z.ZodObject, const F extends Readonly<Record<string, SearchType>>>(
  entity: ListedEntity<R, F>,
) {
  const { title, access, description, summary, path, record, maxPageSize, search } = entity;
  const params = z.strictObject({
    advertiser_id: advertiserId.describe('ID of the advertiser'),
    ...pageParams(maxPageSize),
  });
  const mapRecord = recordMapping(record);
  const mapSearchRecord = searchMapping(search.fields);
  return {
    title,
    access,
    description,
    actions: {
      list: defineAction({
        summary,
        params,
        record,
        metadata: pageMeta,
        run: async (asked, vendor) => {
          const page = { page: 1, page_size: maxPageSize, ...asked };
          return readPage(await vendor.send(request(path, page)), mapRecord);
        },
        nextPage: (asked, { connector_metadata }) => {
          const page = pageAfter(asked.page ?? 1, connector_metadata);
          return page === null ? null : { ...asked, page };
        },
      }),
    },
    search: {
      ...search,
      sync: syncOfAdvertisers({
        path,
        pageSize: maxPageSize,
        toSearchRecord: wire => mapSearchRecord(mapRecord(wire)),
      }),
    },
  } as const satisfies Entity;
}
