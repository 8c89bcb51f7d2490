import { html, nothing, type TemplateResult } from 'lit';

/**
 * A screen's middle when there is nothing to list: a sign, what is so, and what to do.
 * @param tone colours the sign where it is not calm.
 */
export function blank(
  sign: TemplateResult,
  title: string,
  hint: string,
  action: TemplateResult | typeof nothing = nothing,
  tone: '' | 'good' | 'bad' = '',
): TemplateResult {
  return html`<div class="blank" part="message">
    <span class="medal ${tone}" part="sign">${sign}</span>
    <h2 part="title" dir="auto">${title}</h2>
    <p class="lead" part="lead" dir="auto">${hint}</p>
    <div class="actions">${action}</div>
  </div>`;
}
