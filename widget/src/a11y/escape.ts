/** Returns a handler that cancels on Escape, which would otherwise close a surrounding dialog. */
export function onEscape(cancel: () => void): (event: KeyboardEvent) => void {
  return event => {
    // In an input method editor, Escape discards the text that is being composed.
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    cancel();
  };
}
