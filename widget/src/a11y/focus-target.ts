/** Selectors for the element that receives focus, in order of preference. */
const selectors = [
  '[aria-invalid="true"], .notice',
  '.target',
  'form :is(input, select, textarea):not(details *), .row, .button',
  '.back',
];

/** Returns the element of a new screen that receives keyboard focus: the control the user needs next. */
export function findFocusTarget(screen: ParentNode): HTMLElement | null {
  for (const selector of selectors) {
    const target = screen.querySelector<HTMLElement>(selector);
    if (target) return target;
  }
  return null;
}
