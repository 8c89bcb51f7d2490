import { nothing, type TemplateResult } from 'lit';
import type { Catalog } from '../flow/flow.ts';
import { isAllowed } from '../flow/rights.ts';
import type { RenderContext } from '../screens/render-context.ts';
import { button } from './buttons.ts';

/** Renders the offer to let somebody else connect the source by a link, if the token allows that. */
export function linkOffer(
  catalog: Catalog,
  { messages, send }: RenderContext,
  isBusy = false,
): TemplateResult | typeof nothing {
  if (!isAllowed(catalog, 'link')) return nothing;
  const createLink = () => {
    send({ type: 'createLink' });
  };
  return button(messages.linkOffer, createLink, { kind: 'quiet', part: 'link-button', isBusy });
}
