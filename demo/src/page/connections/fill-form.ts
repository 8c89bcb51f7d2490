import type { SandboxCredentials } from '../../sandbox-vendors.ts';

/**
 * Types sandbox credentials into the widget's open form, like the user would. Returns whether they were for this form. A
 * real product does not need this, and the widget's inner elements are not a public interface.
 */
export function fillForm(widget: Element, credentials: readonly SandboxCredentials[]): boolean {
  const root = widget.shadowRoot;
  const inputOf = (field: string) =>
    root?.querySelector<HTMLInputElement>(`form [part='input'][id$='${CSS.escape(field)}']`) ?? null;
  const values = credentials
    .map(each => Object.entries(each.values).map(([field, value]) => ({ input: inputOf(field), value })))
    .find(each => each.every(({ input }) => input !== null));
  if (!values) return false;
  for (const { input, value } of values) {
    if (!input) continue;
    input.value = value;
    input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  }
  // The button is always visible, and the rest must stay where it is.
  root?.querySelector<HTMLElement>("form [part~='primary-button']")?.focus({ preventScroll: true });
  return true;
}
