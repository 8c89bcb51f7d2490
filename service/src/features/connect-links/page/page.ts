import { chooseLanguage, type Clock, type Language, type SourceAccess } from '@connector-auth/api';
import { describeAccess } from '@connector-auth/connectors/kind';
import type { Response } from 'express';
import type { KindRegistry } from '../../../shared/definitions/registry.ts';
import { html, type Html } from '../../../shared/http/html.ts';
import { logoUrl } from '../../../shared/http/logo-path.ts';
import { sendDocument } from '../../../shared/pages/document.ts';
import { arrows, logoTile, tile, toneIcon } from '../../../shared/pages/icons.ts';
import { leaving, refreshTo } from '../../../shared/pages/leaving.ts';
import { brandStyle, letterStyle } from '../../../shared/pages/style.ts';
import { fillIn, fillInPlain, type Names } from '../../../shared/pages/words.ts';
import { accessOf, type StoredLink } from '../store.ts';
import { messages } from './messages/index.ts';
import type { Messages, Obstacle } from './messages/messages.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import { shownKindOf, linkOf, purposeOf, type View, type ViewOf } from './view.ts';

/** What the pages show of the service. */
export interface PageContext {
  readonly kinds: KindRegistry;
  /** The path of the public URL, without a trailing slash. */
  readonly basePath: string;
  /** The path of the widget's script, or null if it was not built. */
  readonly widgetPath: string | null;
  readonly clock: Pick<Clock, 'now'>;
}

export interface LinkPage {
  readonly linkId: string;
  readonly view: View;
  readonly status?: number;
}

/** Sends a page of a link in the browser's preferred language. */
export function sendLinkPage(response: Response, context: PageContext, page: LinkPage): void {
  const { view } = page;
  const language = chooseLanguage(response.req.headers['accept-language']);
  const words = wordsFor(context, language, linkOf(view));
  const { widgetPath, basePath } = context;
  const organization = linkOf(view)?.organization;
  const hasWidget = view.name === 'connecting' && widgetPath !== null;
  sendDocument(response, {
    status: page.status ?? 200,
    language,
    title: words.plain(titleOf(view, words.messages)),
    style: `${style}${letterStyle(organization?.name ?? null)}${brandStyle(organization?.brandColor ?? null)}`,
    script,
    head: html`${view.name === 'leaving' ? refreshTo(view.target) : ''}
    ${hasWidget ? html`<script src="${basePath}${widgetPath}" defer></script>` : ''}`,
    body: html`${draw(context, page, words)}${partsOfScript(view, words, pathOf(context, page))}`,
    formAction: view.name === 'asking' || view.name === 'connecting' ? "'self'" : "'none'",
    policy: ["connect-src 'self'", "require-trusted-types-for 'script'", 'trusted-types lit-html'],
    ...(hasWidget ? { scriptSource: "'self'" } : {}),
    // Keeps the consent window, which the widget opens.
    openerPolicy: 'same-origin-allow-popups',
    // The form's request must include an Origin header, and other sites must not see the page's URL.
    referrerPolicy: view.name === 'asking' ? 'same-origin' : 'no-referrer',
  });
}

/** The messages in a page's language, and functions that replace their placeholders. */
interface Words {
  readonly messages: Messages;
  readonly text: (template: string) => Html;
  readonly plain: (template: string) => string;
  /** What is read and changed at the link's source, or null if that is unknown. */
  readonly access: SourceAccess | null;
}

/** A page that shows no link has no names. */
function wordsFor({ kinds, clock }: PageContext, language: Language, link: StoredLink | null): Words {
  const key = link && shownKindOf(link);
  const kind = key === null ? null : kinds.byKey(key);
  const access = link && kind && describeAccess(kind, accessOf(link), language);
  const names =
    link === null ? {} : namesOf(link, language, { vendor: kind?.name ?? key, access, now: clock.now() });
  return {
    messages: messages[language],
    text: template => fillIn(template, names),
    plain: template => fillInPlain(template, names),
    access,
  };
}

function titleOf(view: View, messages: Messages): string {
  switch (view.name) {
    case 'opening':
      return messages.opening;
    case 'asking':
    case 'connecting':
      return messages[`${purposeOf(view.link)}Title`];
    case 'leaving':
      return messages.leaving;
    case 'done':
      return shownKindOf(view.link) === null ? messages.doneAny : messages.done;
    case 'obstacle':
      return messages[`${view.obstacle}Title`];
  }
}

/**
 * Draws the part of the page that is visible at first. Each part is a `main` of its own, of which the script shows one.
 */
function draw(context: PageContext, page: LinkPage, words: Words): Html {
  const { view } = page;
  const path = pathOf(context, page);
  const { messages, text } = words;
  const title = html`<h1>${text(titleOf(view, messages))}</h1>`;
  const part = (className: string, content: Html) =>
    html`<main
      class="${className}"
      data-part="${view.name === 'opening' ? 'working' : 'content'}"
      data-view="${view.name}"
      data-path="${path}"
    >
      ${content}
    </main>`;
  switch (view.name) {
    case 'opening':
      return html`${part('leaving', working(words))}<noscript>${obstacle('needs', words, path)}</noscript>`;
    case 'asking':
      return html`${part('', html`${icons(context, view.link)}${title}${request(view, words, path)}`)}
        <p class="quiet" data-part="content" data-expires="${view.link.expiresAt.toISOString()}">
          ${text(messages.limit)}
        </p>`;
    case 'leaving':
      return part('leaving', leaving(text(messages.leaving), view.target, text(messages.continueTo)));
    case 'connecting':
      return part('connecting', html`${brand(context, view.link, words)}${widget(context, view.link, path)}`);
    case 'done':
      return part(
        '',
        html`${icons(context, view.link, toneIcon('good'))}${title}
          <p class="quiet">${messages.close}</p>
          ${wayBack(view.link, words)}`,
      );
    case 'obstacle':
      return part('', obstacleContent(view.obstacle, words, path));
  }
}

/** Draws what the person is asked for, and the button that continues. */
function request(
  { link, helperUrl }: ViewOf<'asking'>,
  { messages, text, access }: Words,
  path: string,
): Html {
  const isGuest = link.audience === 'guest';
  return html`<p>${text(messages[`${purposeOf(link)}${isGuest ? 'Invited' : 'Asked'}`])}</p>
    ${isGuest && access !== null ? claims(access, messages, text) : ''}
    ${isGuest ? html`<p class="note">${text(messages.guestWarning)}</p>` : ''}
    <form method="post" action="${path}/confirm">
      <button>${text(helperUrl === null ? messages.continue : messages.continueTo)}</button>
    </form>
    ${isGuest ? '' : html`<p class="quiet check">${text(messages.check)}</p>`}`;
}

/** Says what the integrator reads at the source, and whether it can change anything there. */
function claims({ level }: SourceAccess, { reads, canChange, neverChanges }: Messages, text: Words['text']) {
  return html`<ul class="claims">
    <li>${toneIcon('good')}<span>${text(reads)}</span></li>
    <li>
      ${level === 'read' ? html`${toneIcon('good')}<span>${text(neverChanges)}</span>` : html`${toneIcon('warn')}<span>${text(canChange)}</span>`}
    </li>
  </ul>`;
}

/** Leads to the integrator's site, where its users are signed in. */
function wayBack({ organization: { helperUrl } }: StoredLink, { messages, text }: Words): Html | string {
  if (helperUrl === null) return '';
  return html`<a class="button" href="${new URL(helperUrl).origin}">${text(messages.continueTo)}</a>`;
}

/** Names who asks, and for which company. The customer's own people see this after their helper has confirmed them. */
function brand({ basePath }: PageContext, link: StoredLink, words: Words): Html {
  const { organization, organizationId, customerDisplayName } = link;
  const { name, logoVersion } = organization;
  return html`<header class="brand">
    ${logoTile(logoUrl(basePath, organizationId, logoVersion), name)}
    <div>
      <strong><bdi>${name}</bdi></strong>
      ${customerDisplayName !== null ? html`<p class="quiet">${words.text(words.messages.forCustomer)}</p>` : ''}
    </div>
  </header>`;
}

function widget({ widgetPath }: PageContext, { kind, targetId }: StoredLink, path: string): Html {
  return html`<connector-auth
    token-url="${path}/token"
    ${kind === null ? '' : html`source="${kind}"`}
    ${targetId === null ? '' : html`reconnect="${targetId}"`}
  >
    ${widgetPath === null ? html`<p>The widget was not built. Run <code>pnpm build</code>, then restart the service.</p>` : ''}
  </connector-auth>`;
}

/** Draws the parts that only the script shows. */
function partsOfScript(view: View, words: Words, path: string): Html {
  const hidden = (name: string, content: Html) =>
    html`<main class="${name === 'working' ? 'leaving' : ''}" data-part="${name}" hidden>${content}</main>`;
  return html`${view.name === 'opening' ? '' : hidden('working', working(words))}
  ${scriptObstacles.map(name => hidden(name, obstacleContent(name, words, path)))}`;
}

const scriptObstacles: readonly Obstacle[] = [
  'needs',
  'incomplete',
  'unknown',
  'expired',
  'revoked',
  'used',
  'elsewhere',
  'busy',
  'failed',
];

function working({ messages }: Words): Html {
  return html`<span class="spinner"></span>
    <p role="status">${messages.opening}…</p>`;
}

function obstacle(name: Obstacle, words: Words, path: string): Html {
  return html`<main>${obstacleContent(name, words, path)}</main>`;
}

function obstacleContent(name: Obstacle, { messages, text }: Words, path: string): Html {
  const canRetry = name === 'busy' || name === 'failed' || name === 'unavailable';
  return html`<div class="icons">${toneIcon('warn')}</div>
    <h1>${text(messages[`${name}Title`])}</h1>
    <p>${text(messages[name])}</p>
    ${canRetry ? html`<a class="button retry" href="${path}" data-retry>${messages.retry}</a>` : ''}`;
}

function icons({ kinds, basePath }: PageContext, link: StoredLink, outcome: Html | string = ''): Html {
  const { organization, organizationId } = link;
  const kind = shownKindOf(link);
  const { name, logoVersion } = organization;
  const icon = kind === null || kinds.byKey(kind) === null ? null : `${basePath}/icons/${kind}.svg`;
  return html`<div class="icons">
    ${tile(icon)}${icon === null ? '' : html`${outcome}${arrows}`}${logoTile(logoUrl(basePath, organizationId, logoVersion), name)}${icon === null ? outcome : ''}
  </div>`;
}

/** Returns the values of the placeholders. */
function namesOf(
  { organization: { name, helperUrl }, customerDisplayName, inviter, expiresAt }: StoredLink,
  language: Language,
  { vendor, access, now }: { vendor: string | null; access: SourceAccess | null; now: number },
): Names {
  const { unnamedCustomer, unnamedData } = messages[language];
  const inWords = (things: readonly string[] = []): string =>
    things.length === 0 ? unnamedData : new Intl.ListFormat(language).format(things);
  return {
    vendor,
    integrator: name,
    customer: customerDisplayName ?? unnamedCustomer,
    inviter,
    read: inWords(access?.reads),
    changed: inWords(access?.changes),
    site: helperUrl === null ? null : new URL(helperUrl).host,
    when: relativeTime(language, expiresAt.getTime() - now),
  };
}

/** Returns a time from now in words, such as “in 5 minutes”. Rounds hours and days down, so that no link expires earlier. */
function relativeTime(language: Language, milliseconds: number): string {
  const format = new Intl.RelativeTimeFormat(language);
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return format.format(Math.floor(hours / 24), 'day');
  return minutes < 60 ? format.format(minutes, 'minute') : format.format(hours, 'hour');
}

function pathOf({ basePath }: PageContext, { linkId }: LinkPage): string {
  return `${basePath}/connect/${linkId}`;
}
