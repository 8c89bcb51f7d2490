import { agentLifetimeDays, chooseLanguage, type AgentScope, type Language } from '@connector-auth/api';
import { hueOf } from '@connector-auth/api/connection-state';
import type { Response } from 'express';
import { html, type Html } from '../../../../shared/http/html.ts';
import { logoUrl } from '../../../../shared/http/logo-path.ts';
import { sendDocument } from '../../../../shared/pages/document.ts';
import { logoTile, toneIcon } from '../../../../shared/pages/icons.ts';
import { leaving, refreshTo } from '../../../../shared/pages/leaving.ts';
import { brandStyle, letterStyle } from '../../../../shared/pages/style.ts';
import { fillIn, fillInPlain, type Names } from '../../../../shared/pages/words.ts';
import type { Organization } from '../../../../shared/repositories/organizations.ts';
import type { AgentRequest } from '../../authorization-server/authorization-server.ts';
import { hostOf, periods, shownClient, type Question, type Selection } from '../consent.ts';
import { messages } from './messages/index.ts';
import type { Messages } from './messages/messages.ts';
import { style } from './style.ts';

/** What a browser shows of a client's request. */
export type View =
  | {
      readonly name: 'asking';
      readonly question: Question;
      readonly selection: Selection;
      /** Whether the person has submitted a selection that allows nothing. */
      readonly isIncomplete: boolean;
    }
  /** The browser goes back to the client. */
  | { readonly name: 'leaving'; readonly target: string }
  | { readonly name: 'ended' }
  | { readonly name: 'busy' }
  | { readonly name: 'late'; readonly request: AgentRequest }
  | { readonly name: 'noAccess'; readonly request: AgentRequest; readonly organization: Organization };

const statuses = { asking: 200, leaving: 200, ended: 410, busy: 429, late: 409, noAccess: 403 } as const;

interface Page {
  /** The path of the public URL, without a trailing slash. */
  readonly basePath: string;
  readonly view: View;
}

/** The messages in a page's language, and functions that replace their placeholders. */
interface Words {
  readonly language: Language;
  readonly messages: Messages;
  readonly text: (template: string) => Html;
  readonly plain: (template: string) => string;
}

/** Sends a page in the browser's preferred language. It needs no script. */
export function sendSignInPage(response: Response, page: Page): void {
  const { view } = page;
  const language = chooseLanguage(response.req.headers['accept-language']);
  const names = namesOf(view, language);
  const words: Words = {
    language,
    messages: messages[language],
    text: template => fillIn(template, names),
    plain: template => fillInPlain(template, names),
  };
  const organization = organizationOf(view);
  const hasForm = view.name === 'asking' || view.name === 'noAccess';
  sendDocument(response, {
    status: view.name === 'asking' && view.isIncomplete ? 422 : statuses[view.name],
    language,
    title: words.plain(titleOf(view, words.messages)),
    style: `${style}${letterStyle(names['integrator'] ?? null)}${brandStyle(organization?.brand_color ?? null)}${personStyle(view)}`,
    script: null,
    ...(view.name === 'leaving' ? { head: refreshTo(view.target) } : {}),
    body: draw(page, words),
    formAction: hasForm ? "'self'" : "'none'",
    // The client's page may have opened this one in a window, and waits for it.
    openerPolicy: 'unsafe-none',
    // The form's request must include an Origin header, and other sites must not see the page's URL.
    referrerPolicy: hasForm ? 'same-origin' : 'no-referrer',
  });
}

/** Gives two people different colours, even if they have the same name. */
function personStyle(view: View): string {
  if (view.name !== 'asking') return '';
  const { customerId, userId } = view.question.signIn;
  return `.person { --hue: ${hueOf(`${customerId} ${userId}`)}; }`;
}

function organizationOf(view: View): Organization | null {
  if (view.name === 'asking') return view.question.organization;
  return view.name === 'noAccess' ? view.organization : null;
}

function namesOf(view: View, language: Language): Names {
  const organization = organizationOf(view);
  const names = { integrator: organization && (organization.display_name ?? organization.name) };
  if (view.name !== 'asking') return names;
  const { request, signIn } = view.question;
  const client = shownClient(request);
  return {
    ...names,
    client: client.host,
    name: nameOf(request),
    redirect: hostOf(request.redirectUri),
    person: signIn.userName,
    customer: signIn.customerDisplayName,
    unused: daysInWords(language, agentLifetimeDays.unused),
  };
}

/** Returns what the client says it is, or null if that is nothing but its host. */
function nameOf(request: AgentRequest): string | null {
  const { name, host } = shownClient(request);
  // An app on the device can use the document of any host.
  if (host !== null || request.client.host === null) return name;
  return name === null ? request.client.host : `${name} (${request.client.host})`;
}

function daysInWords(language: Language, days: number): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days);
}

function titleOf(view: View, messages: Messages): string {
  switch (view.name) {
    case 'asking':
      return shownClient(view.question.request).host === null ? messages.titleOnDevice : messages.title;
    case 'leaving':
      return messages.leaving;
    default:
      return messages[`${view.name}Title`];
  }
}

function draw(page: Page, words: Words): Html {
  const { view, basePath } = page;
  const { messages, text } = words;
  const title = text(titleOf(view, messages));
  const pathOf = ({ id }: AgentRequest): string => `${basePath}/agents/sign-in/${id}`;
  switch (view.name) {
    case 'asking':
      return html`<main class="asking">
        <header>
          ${logo(page, view.question.organization, words)}
          <h1>${title}</h1>
        </header>
        ${parties(view.question, words)}
        <form method="post" action="${pathOf(view.question.request)}">${form(page, view, words)}</form>
      </main>`;
    case 'leaving':
      return html`<main class="leaving">${leaving(title, view.target, messages.continue)}</main>`;
    case 'noAccess':
      return obstacle(
        html`${logo(page, view.organization, words)}`,
        title,
        html`<p>${text(messages.noAccess)}</p>
          <form method="post" action="${pathOf(view.request)}">
            <button name="answer" value="deny">${messages.backToApp}</button>
          </form>
          ${view.organization.support_url === null ? '' : html`<a class="button" href="${view.organization.support_url}">${text(messages.support)}</a>`}
          <a class="button" href="${pathOf(view.request)}">${messages.retry}</a>`,
      );
    case 'late':
      return obstacle(
        warning,
        title,
        html`<p>${text(messages.late)}</p>
          <a class="button primary" href="${pathOf(view.request)}">${messages.continue}</a>`,
      );
    case 'ended':
    case 'busy':
      return obstacle(warning, title, html`<p>${text(messages[view.name])}</p>`);
  }
}

const warning = html`<div class="icons">${toneIcon('warn')}</div>`;

function obstacle(icons: Html, title: Html, content: Html): Html {
  return html`<main>
    ${icons}
    <h1>${title}</h1>
    ${content}
  </main>`;
}

function logo({ basePath }: Page, { id, logoVersion }: Organization, { plain }: Words): Html {
  return html`<div class="icons">
    ${logoTile(logoUrl(basePath, id, logoVersion), plain('{integrator}'))}
  </div>`;
}

/** Names who gets access, and the person and company whose data it is about. */
function parties({ request, signIn, earlier }: Question, { messages, text }: Words): Html {
  const { host } = shownClient(request);
  const goesElsewhere = host !== null && host !== hostOf(request.redirectUri);
  return html`${goesElsewhere ? html`<p>${text(messages.twoHosts)}</p>` : ''}
    ${nameOf(request) === null ? '' : html`<p class="quiet">${text(messages.claim)}</p>`}
    <div class="person">
      ${logoTile(null, signIn.userName)}
      <div>
        <p>${text(messages.signedInAs)}</p>
        ${signIn.customerDisplayName === null ? '' : html`<p>${text(messages.forCustomer)}</p>`}
      </div>
    </div>
    ${earlier === null ? '' : html`<p>${messages.again}</p>`}`;
}

function form({ basePath }: Page, { question, selection, isIncomplete }: AskingView, words: Words): Html {
  const { scopes, sources, signIn, earlier } = question;
  const { language, messages, text } = words;
  const isAdded = (scope: AgentScope): boolean => earlier !== null && !earlier.scopes.includes(scope);
  return html`<input type="hidden" name="confirmed" value="${signIn.confirmedAt.toISOString()}" />
    ${isIncomplete ? html`<p class="error" role="alert">${messages.incomplete}</p>` : ''}
    ${options(
      messages.rights,
      'rights',
      scopes.map(scope =>
        option(
          { name: 'scope', value: scope, isChecked: selection.scopes.includes(scope) },
          html`<span
            >${messages[scope]}${isAdded(scope) ? html` <b>${messages.added}</b>` : ''}<small
              >${messages[`${scope}Text`]}</small
            ></span
          >`,
        ),
      ),
      question.asksToWriteInVain ? messages.noWrite : '',
    )}
    ${
      sources.length === 0
        ? html`<p class="note">${messages.noSource}</p>`
        : options(messages.sources, 'sources', [
            ...sources.map(({ key, name }) =>
              option(
                { name: 'source', value: key, isChecked: selection.sources.includes(key) },
                html`<img src="${basePath}/icons/${key}.svg" alt="" /><span><bdi>${name}</bdi></span>`,
              ),
            ),
            option(
              { name: 'later', value: 'on', isChecked: selection.includesLater },
              html`<span>${messages.later}<small>${messages.laterText}</small></span>`,
            ),
          ])
    }
    ${options(
      messages.period,
      'periods',
      periods.map(days =>
        option(
          { name: 'days', value: String(days), isChecked: selection.days === days, type: 'radio' },
          html`<span>${daysInWords(language, days)}</span>`,
        ),
      ),
      text(messages.unused),
    )}
    <div class="answers">
      <p class="quiet">${messages.warning}</p>
      <button name="answer" value="allow">${messages.allow}</button>
      <button class="button" name="answer" value="deny">${messages.deny}</button>
    </div>`;
}

type AskingView = Extract<View, { readonly name: 'asking' }>;

function options(
  legend: string,
  what: 'rights' | 'sources' | 'periods',
  rows: readonly Html[],
  hint: Html | string = '',
): Html {
  return html`<fieldset>
    <legend>${legend}</legend>
    <div class="options ${what}">${rows}</div>
    ${hint === '' ? '' : html`<p class="quiet">${hint}</p>`}
  </fieldset>`;
}

function option(
  input: {
    readonly name: string;
    readonly value: string;
    readonly isChecked: boolean;
    readonly type?: 'radio';
  },
  label: Html,
): Html {
  return html`<label class="option"
    ><input
      type="${input.type ?? 'checkbox'}"
      name="${input.name}"
      value="${input.value}"
      ${input.isChecked ? 'checked' : ''}
    />${label}</label
  >`;
}
