import { html, nothing, type TemplateResult } from 'lit';
import { glyph, type GlyphName } from './glyphs.ts';

/** A screen's middle when there is nothing to list: a sign (null: something goes on), what is so, and what to do. */
export function blank(options: {
  readonly sign: GlyphName | null;
  readonly tone?: 'calm' | 'good' | 'bad';
  readonly title: string;
  readonly hint: string;
  readonly action?: TemplateResult | typeof nothing;
}): TemplateResult {
  const { sign, tone = 'calm', title, hint, action = nothing } = options;
  return html`<div class="blank" part="message">
    <span class="medal ${tone}" part="sign"
      >${sign === null ? html`<span class="spinner"></span>` : glyph(sign)}</span
    >
    <h2 part="title" dir="auto">${title}</h2>
    <p class="lead" part="lead" dir="auto">${hint}</p>
    ${action === nothing ? nothing : html`<div class="actions">${action}</div>`}
  </div>`;
}
