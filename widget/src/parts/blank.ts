import { html, nothing, type TemplateResult } from 'lit';
import { glyph, type GlyphName } from './glyphs.ts';

/**
 * A screen's middle when there is nothing to list: a sign (null: something goes on), what is so, and what to do.
 * @param sign with its tone after a space, where it is not calm: `check good`, `alert bad`.
 */
export function blank(
  sign: GlyphName | 'check good' | 'alert bad' | 'offline bad' | null,
  title: string,
  hint: string,
  action: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  // The first word names a glyph.
  const [name, tone = ''] = (sign?.split(' ') ?? []) as [GlyphName?, string?];
  return html`<div class="blank" part="message">
    <span class="medal ${tone}" part="sign">${name ? glyph(name) : spinner}</span>
    <h2 part="title" dir="auto">${title}</h2>
    <p class="lead" part="lead" dir="auto">${hint}</p>
    <div class="actions">${action}</div>
  </div>`;
}

/** Something goes on; what, is said in words beside it. */
export const spinner: TemplateResult = html`<span class="spinner"></span>`;
