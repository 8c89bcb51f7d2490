import { html, nothing, type TemplateResult } from 'lit';

/** Renders the heading and lead at the top of a screen, beside an icon. */
export function screenHead(
  title: string,
  lead: string | null,
  icon: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  return html`<header class="head" part="header">
    ${icon}
    <div>
      <h2 part="title" dir="auto">${title}</h2>
      ${lead ? html`<p class="lead" part="lead" dir="auto">${lead}</p>` : nothing}
    </div>
  </header>`;
}
