import { cleanAddress, isInAppBrowser } from './popup/redirect.ts';
import { httpAddress } from './service/http-address.ts';
import { tokenFromUrl, type GetToken } from './service/widget-token.ts';

/** What an integrator may set, as it stands on the element. */
export interface Settings {
  readonly tokenUrl: string | null;
  readonly getToken: GetToken | null;
  readonly serviceUrl: string | null;
  readonly tokenCredentials: string;
  readonly theme: string | null;
  readonly source: string | null;
  readonly sources: string | null;
  readonly oauthMode: string | null;
  readonly oauthRedirectUrl: string | null;
}

/** Settings one can work with. */
export interface Setup {
  readonly getToken: GetToken;
  readonly serviceUrl: string | null;
  /** Connector types, or null for all. */
  readonly sources: readonly string[] | null;
  /** Where a consent in this window comes back to; null for one in a window of its own. */
  readonly redirectUrl: string | null;
}

/**
 * Reads the settings: what to work with, or the mistakes as sentences that say what to write.
 * Setting nothing is one of them, so ask only when the page had its chance.
 */
export function readSetup(settings: Settings): { setup: Setup } | { mistakes: readonly string[] } {
  const { tokenUrl, getToken, serviceUrl, tokenCredentials, oauthMode, oauthRedirectUrl } = settings;
  const mistakes = [...checkSettings(settings)];
  if (mistakes.length > 0) return { mistakes };
  // checkSettings has made sure that it is one of the three words, and that one of the two sources is there.
  const credentials = tokenCredentials as RequestCredentials;
  const isRedirect = oauthMode === 'redirect' || (oauthMode === null && isInAppBrowser(navigator.userAgent));
  return {
    setup: {
      getToken: getToken ?? tokenFromUrl(tokenUrl ?? '', credentials),
      serviceUrl,
      sources: listOf(settings.sources),
      redirectUrl: isRedirect ? cleanAddress(oauthRedirectUrl ?? location.href) : null,
    },
  };
}

function listOf(text: string | null): readonly string[] | null {
  return text === null ? null : text.split(',').filter(part => part.trim() !== '');
}

function* checkSettings({
  tokenUrl,
  getToken,
  serviceUrl,
  tokenCredentials,
  theme,
  sources,
  oauthMode,
  oauthRedirectUrl,
}: Settings): Iterable<string> {
  if (getToken === null && (tokenUrl === null || tokenUrl === '')) {
    yield 'set token-url="/connector-auth/widget-token" or the property getToken';
  }
  if (getToken !== null && tokenUrl !== null) yield 'set token-url or getToken, not both';
  if (getToken !== null && typeof getToken !== 'function')
    yield 'getToken must be a function that returns a promise';
  if (tokenUrl !== null && httpAddress(tokenUrl) === null)
    yield `token-url="${tokenUrl}" is not an http(s) address`;
  if (serviceUrl !== null && httpAddress(serviceUrl) === null) {
    yield `service-url="${serviceUrl}" is not an http(s) address`;
  }
  if (!['same-origin', 'include', 'omit'].includes(tokenCredentials)) {
    yield `token-credentials="${tokenCredentials}" must be same-origin, include or omit`;
  }
  if (theme !== null && !['light', 'dark', 'auto'].includes(theme)) {
    yield `theme="${theme}" must be light, dark or auto`;
  }
  if (listOf(sources)?.length === 0)
    yield `sources="${sources}" names no source: write sources="crm,calendar"`;
  if (oauthMode !== null && oauthMode !== 'popup' && oauthMode !== 'redirect') {
    yield `oauth-mode="${oauthMode}" must be popup or redirect`;
  }
  if (oauthRedirectUrl !== null && httpAddress(oauthRedirectUrl) === null) {
    yield `oauth-redirect-url="${oauthRedirectUrl}" is not an http(s) address`;
  }
}
