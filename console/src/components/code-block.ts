import { html, nothing, type TemplateResult } from 'lit';
import { notice } from './notice.ts';
import { copyBox } from './page-head.ts';

/** Renders code with a copy button. */
export function codeBlock(label: string, code: string): TemplateResult {
  return html`<figure class="code-block">
    <figcaption><span>${label}</span><console-copy .text=${code} .what=${label}></console-copy></figcaption>
    <pre tabindex="0" role="region" aria-label=${label}><code>${code}</code></pre>
  </figure>`;
}

export interface SecretPanelOptions {
  readonly title: string;
  /** Whether the panel is the whole page, so that its title is the page's heading. */
  readonly isPage?: boolean;
  /** What the secret is, such as “client secret”. */
  readonly what: string;
  readonly secret: string;
  /** Other values and code to paste. */
  readonly content?: TemplateResult | typeof nothing;
  readonly actions: TemplateResult;
}

/** Renders a secret that the service never shows again. */
export function secretPanel({
  title,
  isPage = false,
  what,
  secret,
  content,
  actions,
}: SecretPanelOptions): TemplateResult {
  return html`<section class="card secret-panel">
    ${isPage ? html`<h1 tabindex="-1">${title}</h1>` : html`<h2 tabindex="-1">${title}</h2>`}
    ${notice({
      tone: 'warn',
      text: `Copy the ${what} now and store it in a safe place. You won’t be able to see it again.`,
    })}
    <console-secret-guard .secret=${secret}></console-secret-guard>
    ${copyBox(secret, what)} ${content ?? nothing}
    <div class="actions">${actions}</div>
  </section>`;
}
