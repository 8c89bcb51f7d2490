import type { AuthMethod } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import { httpAddress } from '../service/http-address.ts';
import { stepIcons } from './step-icons.ts';
import { unbroken } from './unbroken.ts';

/** Returns whether a method explains in steps how to obtain its credentials. */
export function hasGuide({ guide }: AuthMethod): boolean {
  return !!guide?.steps.length;
}

/** Where a guide is: below the fields in a disclosure, or beside them where there is room. One of them is shown. */
type Place = 'below' | 'beside';

/**
 * Renders how to obtain the credentials, in steps. Without steps, renders a link to the vendor's help below the fields.
 * @param source the name of the source.
 */
export function guideFor(
  { guide, help_url }: AuthMethod,
  {
    source,
    place,
    messages,
  }: { readonly source: string; readonly place: Place; readonly messages: Messages },
): TemplateResult | typeof nothing {
  const url = httpAddress(guide?.url) ?? httpAddress(help_url);
  if (!guide?.steps.length) {
    return url && place === 'below' ? link(url, messages.helpLink, messages) : nothing;
  }
  const content = html`<ol>
      ${guide.steps.map(step => html`<li part="guide-step" dir="auto">${unbroken(step)}</li>`)}
    </ol>
    ${url ? link(url, messages.openVendor(source), messages) : nothing}
    ${
      guide.who
        ? html`<div class="who">
            <strong>${messages.guideWho}</strong>
            <p class="hint" part="hint" dir="auto">${unbroken(guide.who)}</p>
          </div>`
        : nothing
    }`;
  return place === 'beside'
    ? html`<aside class="guide beside" part="guide">
        <h3 part="heading">${messages.guideTitle}</h3>
        ${content}
      </aside>`
    : html`<details class="guide below" part="guide">
        <summary part="heading">${messages.guideTitle}</summary>
        ${content}
      </details>`;
}

function link(url: string, words: string, { opensInNewTab }: Messages): TemplateResult {
  return html`<a class="link" part="help-link" href=${url} target="_blank" rel="noopener noreferrer"
    >${words}${stepIcons.leave}<span class="visually-hidden"> (${opensInNewTab})</span></a
  >`;
}
