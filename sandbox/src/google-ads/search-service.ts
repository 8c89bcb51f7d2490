import type { VendorContext } from '../simulator/vendor.ts';
import type { Customer } from './customers.ts';
import { fail } from './failure.ts';
import { toCamelCase } from './fields.ts';
import { parseQuery } from './gaql.ts';
import { readPageToken, writePageToken } from './page-token.ts';
import type { Today } from './performance.ts';
import { planQuery, type Plan } from './plan.ts';
import { readMessage, type Message, type MessageSpec } from './proto-json.ts';
import { createRenderer, writeBody } from './render.ts';
import { findRows, type Row } from './search.ts';
import type { World } from './world.ts';

/** The account, its data and the API version that a search uses. */
export interface SearchScope {
  readonly customer: Customer;
  readonly world: World;
  readonly version: number;
  readonly today: Today;
}

/**
 * The name of the setting for the page size, which allows tests with pages smaller than Google's fixed 10,000
 * rows.
 */
export const PAGE_ROWS = 'pageRows';

/** `searchSettings` and `validateOnly` are not simulated. */
const SEARCH_REQUEST: MessageSpec = { query: 'string', pageToken: 'string', pageSize: 'int32' };

/** The maximum number of rows cached for follow-up pages. */
const MAX_CACHED_ROWS = 300_000;

/** Creates `googleAds:search`, which returns one page as JSON. Omits `results` if there are none. */
export function createSearch({
  settings,
  clock,
}: VendorContext): (scope: SearchScope, body: unknown) => string {
  const cache = new Map<string, readonly Row[]>();

  const rowsOf = (plan: Plan, query: string, { world, version, today }: SearchScope): readonly Row[] => {
    const key = [world.customer.id, version, world.revision, query].join(' ');
    const cached = cache.get(key);
    if (cached) return cached;
    const rows = findRows(plan, world, today);
    let cachedCount = rows.length;
    for (const others of cache.values()) cachedCount += others.length;
    if (cachedCount > MAX_CACHED_ROWS) cache.clear();
    cache.set(key, rows);
    return rows;
  };

  return (scope, body) => {
    const request = readMessage(body, SEARCH_REQUEST);
    const query = readQuery(request);
    if (Number(request['pageSize'] ?? 0) !== 0) {
      throw fail(
        'requestError',
        'PAGE_SIZE_NOT_SUPPORTED',
        'Setting the page size is not supported. Search responses have a fixed page size of 10000 rows.',
        { path: 'page_size' },
      );
    }
    const plan = planQuery(parseQuery(query), scope.version, scope.customer, scope.today.day);
    const owner = { customerId: scope.customer.id, query, now: clock.now() };
    // The message spec guarantees that this is a string.
    const offset = readPageToken(owner, request['pageToken'] as string | undefined);
    const rows = rowsOf(plan, query, scope);
    const end = offset + settings.number(PAGE_ROWS);
    return writeBody(rows.slice(offset, end).map(createRenderer(plan)), {
      ...(end < rows.length && { nextPageToken: writePageToken(owner, end) }),
      fieldMask: fieldMask(plan),
      queryResourceConsumption: String(64 + Math.floor(rows.length / 100)),
    });
  };
}

function readQuery(request: Message): string {
  const query = request['query'];
  if (typeof query === 'string' && query.trim() !== '') return query;
  throw fail('requestError', 'REQUIRED_FIELD_MISSING', 'Required field is missing: query.', {
    path: 'query',
  });
}

function fieldMask({ select }: Plan): string {
  return select.map(({ name }) => name.split('.').map(toCamelCase).join('.')).join(',');
}
