/**
 * Moves focus along a column of elements with ↑ and ↓, and to its ends with Home and End. In a text field,
 * Home and End keep their default behaviour. Tab also reaches every element.
 */
export function moveFocusByArrows(event: KeyboardEvent, stops: readonly HTMLElement[]): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const index = stops.findIndex(stop => stop === event.composedPath()[0]);
  const current = stops[index];
  if (!current) return;
  const target = stops[targetIndex(event.key, index, stops.length, current instanceof HTMLInputElement)];
  if (!target) return;
  event.preventDefault();
  // After a click into the search field, Safari would not draw the focus ring.
  if (!skipsRows(event.key, current, target)) target.focus({ focusVisible: true });
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
 * Returns whether there are rows between the two elements that are not rendered yet (see
 * components/virtual-list.ts). Focus moves once they are rendered.
 */
function skipsRows(key: string, from: Element, to: Element): boolean {
  const at = positionOf(from);
  const then = positionOf(to);
  if (key === 'ArrowUp') return at > 1 && then !== at - 1;
  return key === 'ArrowDown' && then > 1 && then !== at + 1;
}

/** Returns the position of a row in its list, or 0 if it is not in a list. */
function positionOf(stop: Element): number {
  return Number(stop.closest('[role="listitem"]')?.ariaPosInSet ?? 0);
}
