/** Where a screen may have the focus, the better place first. */
const places = [
  '[aria-invalid="true"], .notice',
  '.target',
  ':is(form > .field, fieldset) :is(input, select, textarea), .row, .button',
  '.back',
];

/** Where the keyboard focus belongs in a screen that was just entered: where a person would go on. */
export function focusTargetIn(screen: ParentNode): HTMLElement | null {
  for (const place of places) {
    const target = screen.querySelector<HTMLElement>(place);
    if (target) return target;
  }
  return null;
}
