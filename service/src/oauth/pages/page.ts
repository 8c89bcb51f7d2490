import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { Html, html } from '../../http/html.ts';
import { chooseLanguage, directionOf, messages, type Language, type Messages } from './messages.ts';
import { script } from './script.ts';
import { style } from './style.ts';

export interface PageContent {
  readonly title: keyof Messages;
  /** Null for a page that continues at once. */
  readonly text: keyof Messages | null;
  readonly tone: 'good' | 'bad' | 'warn' | 'neutral';
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
  /** The integrator's name for the customer. */
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
 * Sends a page in the browser's preferred language. Its Content-Security-Policy allows only the inline style,
 * the inline script and images from the service, and forbids framing. `Cross-Origin-Opener-Policy:
 * unsafe-none` keeps `window.opener`.
 */
export function sendPage(response: Response, page: Page): void {
  const { status, content, names, formTargets } = page;
  const language = chooseLanguage(response.req);
  const { action, end } = content;
  const policy = [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    ...(end ? [`script-src ${sourceOf(script)}`] : []),
    "img-src 'self' data:",
    `form-action ${action ? ["'self'", ...formTargets].join(' ') : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  response
    .status(status)
    .set({
      'Content-Security-Policy': policy.join('; '),
      'Cross-Origin-Opener-Policy': 'unsafe-none',
      // The form's request must include an Origin header, and other sites must not see the page's URL.
      'Referrer-Policy': action ? 'same-origin' : 'no-referrer',
      'Cache-Control': 'no-store',
      'Content-Language': language,
      Vary: 'Accept-Language',
    })
    .type('html')
    .send(render(content, names, language));
}

function render(content: PageContent, names: PageNames, language: Language): string {
  const { title, text, tone, reason, action, target, end } = content;
  const message = (key: keyof Messages): Html => fillIn(messages[language][key], names);
  return html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        ${target ? html`<meta http-equiv="refresh" content="0; url=${target}" />` : ''}
        <title>${plain(messages[language][title], names)}</title>
        ${styleElement}
      </head>
      <body>
        <main
          class="${target ? 'leaving' : ''}"
          data-session="${end?.sessionId ?? ''}"
          data-status="${end?.status ?? ''}"
          data-origin="${end?.origin ?? ''}"
        >
          <div class="icons">
            ${logo(names)}${names.integrator === null ? '' : arrows}${icon(names)}${toneIcons[tone]}
          </div>
          <h1>${message(title)}</h1>
          ${text ? html`<p>${message(text)}</p>` : ''}
          ${reason ? html`<p class="note" dir="auto">${reason}</p>` : ''}
          ${
            action
              ? html`<p class="note">${message('confirmWarning')}</p>
                  <form method="post" action="${action}"><button>${message('continue')}</button></form>`
              : target
                ? html`<span class="spinner"></span
                    ><a class="button" href="${target}">${message('continue')}</a>`
                : html`<p class="quiet">${message('close')}</p>`
          }
          ${end?.origin ? html`<a class="button" href="${end.origin}/">${message('back')}</a>` : ''}
        </main>
        ${end ? scriptElement : ''}
      </body>
    </html>`.toString();
}

// Must match the text that the policy's hashes are computed from, so html`` must not escape it.
const styleElement = new Html(`<style>${style}</style>`);
const scriptElement = new Html(`<script>${script}</script>`);

/**
 * Replaces the placeholders. Wraps each name in `bdi`, so that a name in another script cannot reorder the
 * sentence.
 */
function fillIn(template: string, names: PageNames): Html {
  const parts = template
    .split(/(\{\w+\})/)
    .map(part => (part.startsWith('{') ? html`<bdi>${nameOf(part, names)}</bdi>` : part));
  return html`${parts}`;
}

function plain(template: string, names: PageNames): string {
  return template.replaceAll(/\{\w+\}/g, part => nameOf(part, names));
}

function nameOf(part: string, { vendor, integrator, customer, origin }: PageNames): string {
  if (part === '{vendor}') return vendor ?? '…';
  if (part === '{integrator}') return integrator ?? '…';
  if (part === '{customer}') return customer ?? '…';
  return origin === null ? '' : new URL(origin).host;
}

function icon({ icon }: PageNames): Html | string {
  return icon === null ? '' : html`<span class="tile"><img src="${icon}" alt="" /></span>`;
}

/** Shows the integrator's logo, or the first letter of its name if it has none. */
function logo({ logo, integrator }: PageNames): Html | string {
  if (logo !== null) return html`<span class="tile"><img src="${logo}" alt="" /></span>`;
  // Split by code point, because half a surrogate pair would be shown as a box.
  const [letter] = integrator?.trim() ?? '';
  return letter ? html`<span class="tile" aria-hidden="true">${letter.toUpperCase()}</span>` : '';
}

const arrows = new Html(
  '<svg class="arrows" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 9h15m-4-4 4 4-4 4M20 15H5m4 4-4-4 4-4"/></svg>',
);

const toneIcon = (tone: string, path: string): Html =>
  html`<span class="tone ${tone}"><svg viewBox="0 0 24 24" aria-hidden="true">${new Html(path)}</svg></span>`;

const toneIcons: Readonly<Record<PageContent['tone'], Html | string>> = {
  good: toneIcon('good', '<path d="m5 12.5 4.5 4.5L19 7.5"/>'),
  bad: toneIcon('bad', '<path d="m7 7 10 10M17 7 7 17"/>'),
  warn: toneIcon('warn', '<path d="M12 6v7m0 4.4v.1"/>'),
  neutral: '',
};

/** Returns the Content-Security-Policy source that allows an inline element with exactly this text. */
function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
