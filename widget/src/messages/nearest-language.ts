/** Returns the `lang` of an element or its nearest ancestor, through shadow roots; '' if there is none. */
export function nearestLanguage(element: Element): string {
  for (const { holder } of surroundings(element))
    if (holder !== null) return holder.getAttribute('lang') ?? '';
  return '';
}

const watchers = new Map<Element, () => void>();
let observer: MutationObserver | null = null;

/**
 * Calls `onChange` when a `lang` or `dir` around the element may have changed. One observer serves all
 * elements.
 */
export function watchLanguage(element: Element, onChange: () => void): void {
  watchers.set(element, onChange);
  observer ??= new MutationObserver(() => {
    for (const onChange of watchers.values()) onChange();
  });
  for (const { root } of surroundings(element))
    observer.observe(root, { subtree: true, attributeFilter: ['lang', 'dir'] });
}

/** Stops {@link watchLanguage}; disconnects the observer after the last element. */
export function unwatchLanguage(element: Element): void {
  watchers.delete(element);
  if (watchers.size > 0) return;
  observer?.disconnect();
  observer = null;
}

/** Calls all watchers: a language became available. */
export function notifyWatchers(): void {
  for (const onChange of watchers.values()) onChange();
}

/**
 * Yields the trees around an element from the inside out, each with the nearest element that has a `lang`.
 */
function* surroundings(element: Element): Iterable<{ root: Node; holder: Element | null }> {
  for (let at: Element | null = element; at !== null;) {
    const root: Node = at.getRootNode();
    yield { root, holder: at.closest('[lang]') };
    at = root instanceof ShadowRoot ? root.host : null;
  }
}
