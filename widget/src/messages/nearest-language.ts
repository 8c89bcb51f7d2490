/** The `lang` that holds for an element: its own or its nearest ancestor's, through shadow roots; '' where none is set. */
export function nearestLanguage(element: Element): string {
  for (const { holder } of surroundings(element))
    if (holder !== null) return holder.getAttribute('lang') ?? '';
  return '';
}

const watchers = new Map<Element, () => void>();
let observer: MutationObserver | null = null;

/** Has `onChange` called whenever a `lang` or `dir` around the element may have changed. One observer serves all elements. */
export function watchLanguage(element: Element, onChange: () => void): void {
  watchers.set(element, onChange);
  observer ??= new MutationObserver(() => {
    for (const tell of watchers.values()) tell();
  });
  for (const { root } of surroundings(element))
    observer.observe(root, { subtree: true, attributeFilter: ['lang', 'dir'] });
}

/** Ends {@link watchLanguage}; the observer goes with the last element. */
export function unwatchLanguage(element: Element): void {
  watchers.delete(element);
  if (watchers.size > 0) return;
  observer?.disconnect();
  observer = null;
}

/** Calls everyone who watches: a language became available. */
export function tellWatchers(): void {
  for (const tell of watchers.values()) tell();
}

/** The trees around an element from the inside out, each with the nearest element in it that has a `lang`. */
function* surroundings(element: Element): Iterable<{ root: Node; holder: Element | null }> {
  for (let at: Element | null = element; at !== null;) {
    const root: Node = at.getRootNode();
    yield { root, holder: at.closest('[lang]') };
    at = root instanceof ShadowRoot ? root.host : null;
  }
}
