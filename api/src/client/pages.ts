import type { PageMeta } from '../contract/paging.ts';
import { ConnectorAuthError } from '../problem.ts';

/**
 * Walks a paged list, item by item; a page is fetched when its first item is asked for.
 * @throws ConnectorAuthError `unexpected_answer` when a page names itself as the next: the walk would not end.
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
