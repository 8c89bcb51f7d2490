import type { PageMeta } from '../contract/paging.ts';
import { ConnectorAuthError } from '../problem.ts';

/**
 * Iterates over the items of a paged list. Fetches each page when its first item is requested.
 * @throws ConnectorAuthError `unexpected_answer` if a page returns its own cursor, which would cause an
 * endless loop.
 */
export async function* eachItem<Item>(
  fetchPage: (cursor: string | undefined) => Promise<{ data: Item[]; meta: PageMeta }>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  for (;;) {
    const { data, meta } = await fetchPage(cursor);
    yield* data;
    if (!meta.has_more || meta.cursor === null) return;
    if (meta.cursor === cursor) {
      throw new ConnectorAuthError('unexpected_answer', 'The service returned the same cursor twice');
    }
    cursor = meta.cursor;
  }
}
