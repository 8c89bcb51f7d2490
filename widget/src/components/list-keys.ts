import type { VirtualList } from './virtual-list.ts';

/** Lists below a search field, and the other controls above their rows. */
export interface SearchedLists {
  readonly query: string;
  readonly clear: () => void;
  readonly above: readonly HTMLElement[];
  /** The lists in their order, with how many of their rows can have focus. */
  readonly lists: readonly (readonly [list: VirtualList, length: number])[];
}

/**
 * Clears the search with Escape, and moves focus with ↑ and ↓ through the controls above and all rows, with Home and
 * End to the first and last row. In the search field, these keep their default behaviour. Returns whether the key did
 * something, or is a shortcut.
 */
export function handleListKey(event: KeyboardEvent, { query, clear, above, lists }: SearchedLists): boolean {
  const { key } = event;
  if (key === 'Escape' && query) {
    event.stopPropagation();
    // Otherwise a surrounding dialog would close.
    event.preventDefault();
    clear();
    return true;
  }
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return true;
  // The handlers are bound only to elements of the widget.
  const target = event.target as HTMLElement;
  let last = above.length - 1;
  let at = above.indexOf(target);
  for (const [list, length] of lists) {
    const index = list.indexOf(target);
    if (index >= 0) at = last + 1 + index;
    last += length;
  }
  const isText = target instanceof HTMLInputElement && target.type === 'search';
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, ...(isText ? null : { Home: above.length, End: last }) };
  const next = (to as Partial<Record<string, number>>)[key];
  if (at < 0 || next === undefined) return at < 0;
  event.preventDefault();
  let index = Math.max(0, Math.min(next, last));
  above[index]?.focus({ focusVisible: true });
  index -= above.length;
  for (const [list, length] of lists) {
    if (index >= 0 && index < length) void list.focus(index);
    index -= length;
  }
  return true;
}
