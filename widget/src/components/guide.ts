import type { AuthMethod } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import { httpAddress } from '../service/http-address.ts';
import { stepIcons } from './step-icons.ts';

/** Returns whether a method explains in steps how to obtain its credentials. */
export function hasGuide({ guide }: AuthMethod): boolean {
  return !!guide?.steps.length;
}

/**
 * Renders how to obtain the credentials: steps beside the fields, or in a disclosure where there is no room. Without
 * steps, renders a link to the vendor's help.
 * @param source the name of the source.
 */
export function guideFor(
  { guide, help_url }: AuthMethod,
  source: string,
  messages: Messages,
): TemplateResult | typeof nothing {
  const url = httpAddress(guide?.url) ?? httpAddress(help_url);
  if (!guide?.steps.length) return url ? link(url, messages.helpLink, messages) : nothing;
  const content = html`<ol>
      ${guide.steps.map(step => html`<li part="guide-step" dir="auto">${step}</li>`)}
    </ol>
    ${guide.who ? html`<p class="who hint" part="hint" dir="auto">${stepIcons.person}<span>${guide.who}</span></p>` : nothing}
    ${url ? link(url, messages.openVendor(source), messages) : nothing}`;
  return html`<aside class="guide beside" part="guide">
      <h3 part="heading">${messages.guideTitle}</h3>
      ${content}
    </aside>
    <details class="guide below" part="guide">
      <summary part="heading">${messages.guideTitle}</summary>
      ${content}
    </details>`;
}

function link(url: string, words: string, { opensInNewTab }: Messages): TemplateResult {
  return html`<a class="link" part="help-link" href=${url} target="_blank" rel="noopener noreferrer"
    >${words}${stepIcons.leave}<span class="visually-hidden"> (${opensInNewTab})</span></a
  >`;
}
