import { html, type TemplateResult } from 'lit';
import { icons } from '../../components/icons.ts';

/** Renders the frame of the pages before sign-in. */
export function gate(content: TemplateResult): TemplateResult {
  return html`<main class="gate">
    <div class="gate-brand"><span class="mark">${icons.connectors}</span>Connector Auth</div>
    ${content}
  </main>`;
}
