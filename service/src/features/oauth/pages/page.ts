import { chooseLanguage, type Language } from '@connector-auth/api';
import type { Response } from 'express';
import { html, type Html } from '../../../shared/http/html.ts';
import { sendDocument } from '../../../shared/pages/document.ts';
import { arrows, logoTile, tile, toneIcon, type Tone } from '../../../shared/pages/icons.ts';
import { refreshTo } from '../../../shared/pages/leaving.ts';
import { letterStyle, style } from '../../../shared/pages/style.ts';
import { fillIn, fillInPlain } from '../../../shared/pages/words.ts';
import { messages } from './messages/index.ts';
import type { Messages } from './messages/messages.ts';
import { endScript, script } from './script.ts';

export interface PageContent {
  readonly title: keyof Messages;
  /** Null for a page that continues at once. */
  readonly text: keyof Messages | null;
  readonly tone: Tone | 'neutral';
  /** Untrusted text from the vendor, which the page escapes. */
  readonly reason?: string | null;
  /** Adds a confirmation form that posts to this path. */
  readonly action?: string;
  /** The URL to which the page continues without a click. */
  readonly target?: string;
  /**
   * Adds the script that reports the outcome to the opener, if the opener is on `origin`, and closes the
   * window.
   */
  readonly end?: {
    readonly sessionId: string | null;
    readonly status: string;
    readonly origin: string | null;
  };
}

/** The values that replace the placeholders in the messages. */
export interface PageNames {
  readonly vendor: string | null;
  /** Path of the vendor's icon. */
  readonly icon: string | null;
  readonly integrator: string | null;
  /** Path of the integrator's logo. */
  readonly logo: string | null;
  /** The customer's display name. */
  readonly customer: string | null;
  /** Origin of the integrator's page, or null if unknown. */
  readonly origin: string | null;
}

/** Placeholder values for pages that must not reveal anything about a session. */
export const noNames: PageNames = {
  vendor: null,
  icon: null,
  integrator: null,
  logo: null,
  customer: null,
  origin: null,
};

export interface Page {
  readonly status: number;
  readonly content: PageContent;
  readonly names: PageNames;
  /** Origins to which submitting the page's form may redirect. */
  readonly formTargets: readonly string[];
}

/**
 * Sends a page in the browser's preferred language. `Cross-Origin-Opener-Policy: unsafe-none` keeps
 * `window.opener`.
 */
export function sendPage(response: Response, { status, content, names, formTargets }: Page): void {
  const language = chooseLanguage(response.req.headers['accept-language']);
  const { title, action, target, end } = content;
  sendDocument(response, {
    status,
    language,
    title: fillInPlain(messages[language][title], wordsOf(names)),
    style: `${style}${letterStyle(names.integrator)}`,
    script: end ? script : action || target ? null : endScript,
    ...(target ? { head: refreshTo(target) } : {}),
    body: render(content, names, language),
    formAction: action ? ["'self'", ...formTargets].join(' ') : "'none'",
    openerPolicy: 'unsafe-none',
    // The form's request must include an Origin header, and other sites must not see the page's URL.
    referrerPolicy: action ? 'same-origin' : 'no-referrer',
  });
}

function render(content: PageContent, names: PageNames, language: Language): Html {
  const { title, text, tone, reason, action, target, end } = content;
  const message = (key: keyof Messages): Html => fillIn(messages[language][key], wordsOf(names));
  return html`<main
    class="${target ? 'leaving' : ''}"
    data-session="${end?.sessionId ?? ''}"
    data-status="${end?.status ?? ''}"
    data-origin="${end?.origin ?? ''}"
  >
    <div class="icons">
      ${tile(names.icon)}${tone === 'neutral' ? '' : toneIcon(tone)}${names.integrator === null ? '' : arrows}${logoTile(names.logo, names.integrator)}
    </div>
    <h1>${message(title)}</h1>
    ${text ? html`<p>${message(text)}</p>` : ''}
    ${names.customer === null ? '' : html`<p class="quiet">${message('forCustomer')}</p>`}
    ${reason ? html`<p class="note" dir="auto">${reason}</p>` : ''}
    ${
      action
        ? html`<p class="note">${message('confirmWarning')}</p>
            <form method="post" action="${action}"><button>${message('continue')}</button></form>`
        : target
          ? html`<span class="spinner"></span><a class="button" href="${target}">${message('continue')}</a>`
          : html`<p class="quiet close">${message('close')}</p>`
    }
    ${end?.origin ? html`<a class="button" href="${end.origin}/">${message('back')}</a>` : ''}
  </main>`;
}

/** Returns the values of the placeholders in the messages. */
function wordsOf({ vendor, integrator, customer, origin }: PageNames) {
  return { vendor, integrator, customer, site: origin === null ? '' : new URL(origin).host };
}
