/** Returns the `lang` of an element or its nearest ancestor, across shadow roots, or '' if none is set. */
export function nearestLanguage(element: Element): string {
  for (const { holder } of surroundings(element))
    if (holder !== null) return holder.getAttribute('lang') ?? '';
  return '';
}

const watchers = new Map<Element, () => void>();
let observer: MutationObserver | null = null;

/**
 * Calls `onChange` when the `lang` or `dir` attribute on the element or one of its ancestors may have
 * changed. One observer serves all elements.
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

/** Calls all watchers after a language has become available. */
export function notifyWatchers(): void {
  for (const onChange of watchers.values()) onChange();
}

/**
 * Yields the trees that contain an element, innermost first, each with the nearest element that has a `lang`.
 */
function* surroundings(element: Element): Iterable<{ root: Node; holder: Element | null }> {
  for (let at: Element | null = element; at !== null;) {
    const root: Node = at.getRootNode();
    yield { root, holder: at.closest('[lang]') };
    at = root instanceof ShadowRoot ? root.host : null;
  }
}
