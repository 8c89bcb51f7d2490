import { html, nothing, type TemplateResult } from 'lit';
import { button, type ButtonOptions } from '../components/buttons.ts';
import type { Catalog } from '../flow/flow.ts';
import { isAllowed } from '../flow/rights.ts';
import type { RenderContext } from './render-context.ts';

/** Renders the offer to let a colleague connect the source by a link, if the token allows that. */
export function linkOffer(
  words: string,
  catalog: Catalog,
  { sends }: RenderContext,
  isBusy = false,
): TemplateResult | typeof nothing {
  if (!isAllowed(catalog, 'link')) return nothing;
  return html`<button
    type="button"
    class="link"
    part="link-button"
    aria-disabled=${isBusy}
    @click=${sends('createLink')}
  >
    ${words}
  </button>`;
}

/** Renders a button that creates a link. */
export function linkButton(label: string, { sends }: RenderContext, options: ButtonOptions): TemplateResult {
  return button(label, sends('createLink'), { ...options, part: 'link-button' });
}
