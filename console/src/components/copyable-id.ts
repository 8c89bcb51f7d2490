import { html, type TemplateResult } from 'lit';

/** Renders an id with a button that copies it. */
export function idWithCopy(id: string, what: string): TemplateResult {
  return html`<span class="id"
    ><code>${id}</code><console-copy .text=${id} .what=${what}></console-copy
  ></span>`;
}
