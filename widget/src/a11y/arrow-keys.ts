/**
 * Moves the focus along a column of stops by ↑ and ↓, and to its ends by Home and End. In a text field Home and End
 * keep their meaning. Every stop stays reachable by Tab as well.
 */
export function moveFocusByArrows(event: KeyboardEvent, stops: readonly HTMLElement[]): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const current = event.composedPath()[0];
  const index = stops.findIndex(stop => stop === current);
  if (index < 0) return;
  const target = stops[targetIndex(event.key, index, stops.length, current instanceof HTMLInputElement)];
  if (target === undefined) return;
  event.preventDefault();
  target.focus();
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
