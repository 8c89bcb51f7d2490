import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { Html, html } from '../../http/html.ts';
import { chooseLanguage, directionOf, messages, type Messages } from './messages.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/** What a page says: its title, its sentence, and how it looks on the person. */
export interface PageContent {
  readonly title: keyof Messages;
  readonly text: keyof Messages;
  readonly tone: 'good' | 'bad' | 'warn' | 'ask';
  /** Reasons in the vendor's own words, as they came. */
  readonly reason?: string | null;
  /** Asks the person to go on: the page has a form that posts to its own address. */
  readonly asks?: boolean;
  /** At the end of a consent: the page tells its opener on this origin, if it has one, and closes itself. */
  readonly end?: {
    readonly sessionId: string | null;
    readonly status: string;
    readonly origin: string | null;
  };
}

/** What stands for the names in the words. */
export interface PageNames {
  readonly vendor: string | null;
  /** Path of the vendor's icon. */
  readonly icon: string | null;
  readonly integrator: string | null;
  /** Origin of the integrator's page; null when none is known. */
  readonly origin: string | null;
}

/** Names of a page that knows nothing of a session. */
export const noNames: PageNames = { vendor: null, icon: null, integrator: null, origin: null };

/**
 * Sends a page of a consent, in the person's language. Nothing runs or loads but what is in it (and the vendor's icon), it cannot be
 * framed, and it keeps its tie to the window that opened it.
 * @param options `formTargets`: origins that its form leads to, redirects included.
 */
export function sendPage(
  response: Response,
  status: number,
  content: PageContent,
  names: PageNames,
  options: { readonly acceptLanguage: string | undefined; readonly formTargets?: readonly string[] },
): void {
  const language = chooseLanguage(options.acceptLanguage);
  const { asks = false, end } = content;
  const policy = [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    ...(end ? [`script-src ${sourceOf(script)}`] : []),
    "img-src 'self' data:",
    `form-action ${asks ? ["'self'", ...(options.formTargets ?? [])].join(' ') : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  response
    .status(status)
    .set({
      'Content-Security-Policy': policy.join('; '),
      'Cross-Origin-Opener-Policy': 'unsafe-none',
      // A form needs its Origin on the way back to us; nothing else may learn the address.
      'Referrer-Policy': asks ? 'same-origin' : 'no-referrer',
      'Cache-Control': 'no-store',
      'Content-Language': language,
      Vary: 'Accept-Language',
    })
    .type('html')
    .send(render(content, names, messages[language], language, directionOf(language)));
}

function render(
  { title, text, tone, reason, asks, end }: PageContent,
  names: PageNames,
  phrases: Messages,
  language: string,
  direction: string,
): string {
  const say = (key: keyof Messages): Html => fillIn(phrases[key], names);
  return html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>${plain(phrases[title], names)}</title>
        ${styleElement}
      </head>
      <body>
        <main
          data-session="${end?.sessionId ?? ''}"
          data-status="${end?.status ?? ''}"
          data-origin="${end?.origin ?? ''}"
        >
          <div class="marks">${icon(names)}${toneIcons[tone]}</div>
          <h1>${say(title)}</h1>
          <p>${say(text)}</p>
          ${reason ? html`<p class="note" dir="auto">${reason}</p>` : ''}
          ${
            asks
              ? html`<p class="note">${say('askWarning')}</p>
                  <form method="post"><button>${say('goOn')}</button></form>`
              : html`<p class="quiet">${say('close')}</p>`
          }
          ${end?.origin ? html`<a class="button" href="${end.origin}/">${say('back')}</a>` : ''}
        </main>
        ${end ? scriptElement : ''}
      </body>
    </html>`.toString();
}

// To the letter what the policy's hashes are made from.
const styleElement = new Html(`<style>${style}</style>`);
const scriptElement = new Html(`<script>${script}</script>`);

/** Names are isolated: one that is written the other way must not turn the sentence around. */
function fillIn(phrase: string, names: PageNames): Html {
  const parts = phrase
    .split(/(\{\w+\})/)
    .map(part => (part.startsWith('{') ? html`<bdi>${nameOf(part, names)}</bdi>` : part));
  return html`${parts}`;
}

function plain(phrase: string, names: PageNames): string {
  return phrase.replaceAll(/\{\w+\}/g, part => nameOf(part, names));
}

function nameOf(part: string, { vendor, integrator, origin }: PageNames): string {
  if (part === '{vendor}') return vendor ?? '…';
  if (part === '{integrator}') return integrator ?? '…';
  return origin === null ? '' : new URL(origin).host;
}

function icon({ icon }: PageNames): Html | string {
  return icon === null ? '' : html`<span class="vendor"><img src="${icon}" alt="" /></span>`;
}

const toneIcon = (tone: string, path: string): Html =>
  html`<span class="sign ${tone}"><svg viewBox="0 0 24 24" aria-hidden="true">${new Html(path)}</svg></span>`;

const toneIcons: Readonly<Record<PageContent['tone'], Html | string>> = {
  good: toneIcon('good', '<path d="m5 12.5 4.5 4.5L19 7.5"/>'),
  bad: toneIcon('bad', '<path d="m7 7 10 10M17 7 7 17"/>'),
  warn: toneIcon('warn', '<path d="M12 6v7m0 4.4v.1"/>'),
  ask: '',
};

/** A source of the policy: exactly this text between the tags. */
function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
