import { userEvent } from 'vitest/browser';
import { json, type connector } from '../gallery/fake-service.ts';
import type { Harness } from './harness.ts';

export const keyField = '[id="field-credentials.api_key"]';
export const secret = 'grn_live_5f2a90c3';

export const createRoute = 'POST /integrations/connectors';
export const listRoute = 'GET /integrations/definitions/sources';
export const mineRoute = 'GET /integrations/connectors';

/** The routes of a customer who has these connectors. */
export const withMine = (...mine: ReturnType<typeof connector>[]) => ({
  [mineRoute]: () => json({ data: mine, meta: { cursor: null, has_more: false } }),
});

/** Picks Granola; resolves with its one field. */
export async function openForm({ find }: Harness): Promise<HTMLInputElement> {
  (await find('[data-id="def-granola"]')).click();
  // The pretended definition has one text field.
  return (await find(keyField)) as HTMLInputElement;
}

/** Picks Granola, enters the key and submits. */
export async function connect(harness: Harness, key = secret): Promise<void> {
  await userEvent.fill(await openForm(harness), key);
  (await harness.find('.primary')).click();
}

/** The names of the sources in the list. */
export function rows({ widget }: Harness): readonly string[] {
  return [...(widget.shadowRoot?.querySelectorAll('[part="source"] .name') ?? [])].map(
    ({ textContent }) => textContent,
  );
}

/** The text at a selector, as soon as it is there. */
export async function text({ find }: Harness, selector: string): Promise<string> {
  return (await find(selector)).textContent.trim();
}
