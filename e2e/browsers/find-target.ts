/** A visible element. Coordinates are in CSS pixels of the viewport. */
export interface Target {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** Whether a click at this point reaches the element. */
  readonly isOnTop: boolean;
}

/**
 * Runs in the page: finds visible elements, also in shadow roots, and scrolls the first one into view.
 * @param pattern the source of a regular expression that matches the accessible label or the text.
 */
export function findTarget(selector: string, pattern: string): readonly Target[] {
  const found: Element[] = [];
  const search = (root: ParentNode) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.matches(selector)) found.push(element);
      if (element.shadowRoot) search(element.shadowRoot);
    }
  };
  search(document);
  const textOf = (element: Element) =>
    (element.ariaLabel ?? (element instanceof HTMLElement ? element.innerText : element.textContent))
      .replaceAll(/\s+/g, ' ')
      .trim();
  const matching = found.filter(
    element => element.checkVisibility() && new RegExp(pattern).test(textOf(element)),
  );
  matching[0]?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  return matching.map(element => {
    const box = element.getBoundingClientRect();
    const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    let hit = document.elementFromPoint(x, y);
    while (hit?.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return { text: textOf(element), x, y, isOnTop: hit !== null && element.contains(hit) };
  });
}
