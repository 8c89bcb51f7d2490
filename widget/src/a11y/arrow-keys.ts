/**
 * Moves the focus along a column of stops by ↑ and ↓, and to its ends by Home and End. In a text field Home and End
 * keep their meaning. Every stop stays reachable by Tab as well.
 */
export function moveFocusByArrows(event: KeyboardEvent, stops: readonly HTMLElement[]): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const index = stops.findIndex(stop => stop === event.composedPath()[0]);
  const current = stops[index];
  if (!current) return;
  const target = stops[targetIndex(event.key, index, stops.length, current instanceof HTMLInputElement)];
  if (!target) return;
  event.preventDefault();
  if (!isFartherAway(event.key, current, target)) target.focus();
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

/** Rows in between are still to be drawn (see components/pages.ts): one waits for them, and presses again. */
function isFartherAway(key: string, from: Element, to: Element): boolean {
  const at = placeOf(from);
  const then = placeOf(to);
  if (key === 'ArrowUp') return at > 1 && then !== at - 1;
  return key === 'ArrowDown' && then > 1 && then !== at + 1;
}

/** The place of a row among all of its list; 0 where it is in none. */
function placeOf(stop: Element): number {
  return Number(stop.closest('[role="listitem"]')?.ariaPosInSet ?? 0);
}
