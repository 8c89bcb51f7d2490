import { setTimeout as wait } from 'node:timers/promises';
import { Router, urlencoded, type Request, type RequestHandler, type Response } from 'express';
import {
  checkedAccounts,
  renderConsentPage,
  renderConsentProblem,
  type ConsentAccount,
  type ConsentView,
} from './consent-page.ts';
import { PAGE_HEADERS } from './html.ts';
import { sendReply } from './reply.ts';
import type { Settings, SettingValue } from './settings.ts';

/**
 * Default settings for consent pages. The query parameter `sandbox_<name>` of the authorize URL overrides a
 * setting for one request.
 */
export const CONSENT_SETTINGS = {
  /** Sends `Cross-Origin-Opener-Policy: same-origin`, which severs a popup from its opener. */
  coop: false,
  /** Delays the page by this many milliseconds. */
  consentDelayMs: 0,
  /** Fails with this HTTP status; 0 shows the page. */
  consentStatus: 0,
  /** `ask` shows the page; `allow` and `deny` redirect at once. */
  consent: 'ask',
} satisfies Record<string, SettingValue>;

/** A validated authorization request: a page to show, or the problem with the request. */
export type AuthorizeRequest =
  | {
      readonly view: Omit<ConsentView, 'vendorName'>;
      /** Returns the redirect URL after Allow; the ids are among the view's accounts. */
      allow(accountIds: readonly string[]): string;
      /** Returns the redirect URL after Deny. */
      deny(): string;
    }
  | { readonly problem: string };

/** Configures a vendor's consent page. */
export interface ConsentOptions {
  readonly vendorName: string;
  readonly path: string;
  readonly settings: Settings;
  /** Validates the query, both when the page is shown and when its form is posted. */
  read(query: Readonly<Record<string, string>>): AuthorizeRequest;
}

/** The query parameter of the authorize URL that names the business whose accounts are preselected, if it has any. */
const CUSTOMER_PARAMETER = 'sandbox_customer';

/** Serves a consent page: GET shows it, POST redirects with the decision. */
export function consentRoutes(options: ConsentOptions): Router {
  const router = Router();
  router.get(options.path, prepare(options), (request, response) => {
    const authorize = options.read(plainQuery(request));
    if ('problem' in authorize) return sendProblem(options, response, authorize.problem);
    const consent = settingText(options.settings, request, 'consent');
    const accounts = preselect(authorize.view.accounts, request.query[CUSTOMER_PARAMETER]);
    const checked = checkedAccounts({ accounts }).map(({ id }) => id);
    if (consent === 'allow' && checked.length > 0) return response.redirect(302, authorize.allow(checked));
    if (consent === 'deny') return response.redirect(302, authorize.deny());
    const view = { ...authorize.view, accounts, vendorName: options.vendorName };
    return sendReply(response, { status: 200, headers: PAGE_HEADERS, body: renderConsentPage(view) });
  });
  router.post(options.path, prepare(options), urlencoded(), (request, response) => {
    const authorize = options.read(plainQuery(request));
    if ('problem' in authorize) return sendProblem(options, response, authorize.problem);
    const { decision, accounts } = readDecision(request.body);
    if (decision === 'deny') return response.redirect(302, authorize.deny());
    const known = authorize.view.accounts.map(account => account.id);
    const isChoice = accounts.length > 0 && accounts.every(account => known.includes(account));
    if (decision !== 'allow' || !isChoice || (accounts.length > 1 && !authorize.view.isMultiple)) {
      return sendProblem(options, response, 'Choose an account from the list, then select Allow or Deny.');
    }
    return response.redirect(302, authorize.allow(accounts));
  });
  return router;
}

/** Adds parameters to the redirect URL and keeps its own query. Omits undefined parameters. */
export function redirectTo(redirectUri: string, parameters: Record<string, string | undefined>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** Preselects the accounts of a business and lists them first, if it has any. */
function preselect(accounts: readonly ConsentAccount[], business: unknown): readonly ConsentAccount[] {
  const own = accounts.filter(account => account.business !== undefined && account.business === business);
  if (own.length === 0) return accounts;
  const others = accounts.filter(account => !own.includes(account));
  const isChecked = (isOwn: boolean) => (account: ConsentAccount) => ({ ...account, isChecked: isOwn });
  return [...own.map(isChecked(true)), ...others.map(isChecked(false))];
}

function prepare({ vendorName, settings }: ConsentOptions): RequestHandler {
  return async (request, response, next) => {
    if (settingText(settings, request, 'coop') === 'true') {
      response.set('Cross-Origin-Opener-Policy', 'same-origin');
    }
    const delayMs = Number(settingText(settings, request, 'consentDelayMs'));
    if (delayMs > 0) await wait(delayMs);
    const status = Number(settingText(settings, request, 'consentStatus'));
    if (!(status >= 400 && status <= 599)) return next();
    const body = renderConsentProblem(
      vendorName,
      'This is a problem on our side. Try again in a few minutes.',
    );
    return sendReply(response, { status, headers: PAGE_HEADERS, body });
  };
}

function settingText(settings: Settings, request: Request, name: keyof typeof CONSENT_SETTINGS): string {
  const given = request.query[`sandbox_${name}`];
  return typeof given === 'string' ? given.replace(/^1$/, 'true') : settings.text(name);
}

function sendProblem({ vendorName }: ConsentOptions, response: Response, problem: string): void {
  const body = renderConsentProblem(vendorName, problem);
  sendReply(response, { status: 400, headers: PAGE_HEADERS, body });
}

/** Returns the query without repeated parameters, so that they count as missing. */
function plainQuery(request: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function readDecision(body: unknown): { decision: unknown; accounts: string[] } {
  const { decision, account } = Object(body) as { decision?: unknown; account?: unknown };
  const accounts = [account].flat().filter(value => typeof value === 'string');
  return { decision, accounts };
}
