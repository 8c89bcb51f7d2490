import { expect } from 'vitest';
import { userEvent } from 'vitest/browser';
import { json, searchableSources, type connector } from '../gallery/fake-service.ts';
import type { Harness } from './harness.ts';
import { until } from './until.ts';

export const keyField = '[id="field-credentials.api_key"]';
export const secret = 'grn_live_5f2a90c3';

export const createRoute = 'POST /integrations/connectors';
export const listRoute = 'GET /integrations/definitions/sources';
export const mineRoute = 'GET /integrations/connectors';

/** Returns the routes for a customer who owns these connectors. */
export const withMine = (...mine: ReturnType<typeof connector>[]) => ({
  [mineRoute]: () => json({ data: mine, meta: { cursor: null, has_more: false } }),
});

/** The routes with enough sources for a search field. */
export const withSearch = { [listRoute]: () => json({ definitions: searchableSources }) };

/** Opens the form for Granola and resolves with its only field. */
export async function openForm({ find }: Harness): Promise<HTMLInputElement> {
  (await find('[data-id="def-granola"]')).click();
  // The fake definition has one text field.
  return (await find(keyField)) as HTMLInputElement;
}

/** Opens the form for Granola, enters the key and submits the form. */
export async function connect(harness: Harness, key = secret): Promise<void> {
  await userEvent.fill(await openForm(harness), key);
  (await harness.find('.primary')).click();
}

/** Returns the names of the listed sources. */
export function rows({ widget }: Harness): readonly string[] {
  return [...(widget.shadowRoot?.querySelectorAll('[part="source"] .name') ?? [])].map(
    ({ textContent }) => textContent,
  );
}

/** Resolves with the text of the element that matches a selector, as soon as it exists. */
export async function text({ find }: Harness, selector: string): Promise<string> {
  return (await find(selector)).textContent.trim();
}

/**
 * Resolves once the element that matches a selector has a text. An earlier screen may have such an element with another
 * text.
 */
export function expectText({ widget }: Harness, selector: string, expected: string | RegExp): Promise<void> {
  return until(() => {
    const found = widget.shadowRoot?.querySelector(selector)?.textContent.trim();
    if (typeof expected === 'string') expect(found).toBe(expected);
    else expect(found).toMatch(expected);
  });
}
