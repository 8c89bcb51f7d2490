import { html, nothing, type TemplateResult } from 'lit';
import { glyph } from './glyphs.ts';

/** The button that leads one step back. */
export function backButton(label: string, onBack: () => void): TemplateResult {
  return html`<button type="button" class="back" part="back-button" @click=${onBack}>
    ${glyph('back')}<span>${label}</span>
  </button>`;
}

/** The top of a screen: what it is about, in a heading, with a picture and a sentence. */
export function screenHead(options: {
  readonly title: string;
  readonly lead?: string | null;
  readonly icon?: TemplateResult;
}): TemplateResult {
  const { title, lead, icon = nothing } = options;
  return html`<header class="head" part="header">
    ${icon}
    <div>
      <h2 part="title" dir="auto">${title}</h2>
      ${lead ? html`<p class="lead" part="lead" dir="auto">${lead}</p>` : nothing}
    </div>
  </header>`;
}
