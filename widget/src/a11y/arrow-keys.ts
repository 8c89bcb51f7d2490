/**
 * Moves the focus along a column of elements by ↑ and ↓, and to its ends by Home and End, which keep their
 * meaning in a text field. Tab reaches every element as well.
 */
export function moveFocusByArrows(event: KeyboardEvent, stops: readonly HTMLElement[]): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const index = stops.findIndex(stop => stop === event.composedPath()[0]);
  const current = stops[index];
  if (!current) return;
  const target = stops[targetIndex(event.key, index, stops.length, current instanceof HTMLInputElement)];
  if (!target) return;
  event.preventDefault();
  if (!skipsRows(event.key, current, target)) target.focus();
}

function targetIndex(key: string, index: number, count: number, isText: boolean): number {
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, count - 1);
    case 'ArrowUp':
      return Math.max(index - 1, 0);
    case 'Home':
      return isText ? -1 : 0;
    case 'End':
      return isText ? -1 : count - 1;
    default:
      return -1;
  }
}

/**
 * Whether rows in between are not rendered yet (see components/virtual-list.ts): the focus waits for them.
 */
function skipsRows(key: string, from: Element, to: Element): boolean {
  const at = positionOf(from);
  const then = positionOf(to);
  if (key === 'ArrowUp') return at > 1 && then !== at - 1;
  return key === 'ArrowDown' && then > 1 && then !== at + 1;
}

/** Returns the position of a row in its list; 0 outside a list. */
function positionOf(stop: Element): number {
  return Number(stop.closest('[role="listitem"]')?.ariaPosInSet ?? 0);
}
