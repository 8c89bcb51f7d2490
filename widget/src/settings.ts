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

/** What each may be: one of these words, or (null) an http(s) address. */
const allowed = {
  tokenUrl: null,
  serviceUrl: null,
  oauthRedirectUrl: null,
  tokenCredentials: ['same-origin', 'include', 'omit'],
  theme: ['light', 'dark', 'auto'],
  oauthMode: ['popup', 'redirect'],
} as const;

/** The mistakes in the settings, as sentences that say what to write. Setting nothing is one: give the page its chance. */
export function findIssues(settings: Settings): readonly string[] {
  const { tokenUrl, getToken, sources } = settings;
  const mistakes: string[] = [];
  if (!getToken && !tokenUrl) {
    mistakes.push('set token-url="/connector-auth/widget-token" or the property getToken');
  }
  if (getToken && tokenUrl) mistakes.push('set token-url or getToken, not both');
  if (getToken && typeof getToken !== 'function') {
    mistakes.push('getToken must be a function that returns a promise');
  }
  for (const [name, words] of Object.entries(allowed)) {
    // The names are those of settings, each a text.
    const value = settings[name as keyof typeof allowed];
    if (value && !(words ? (words as readonly string[]).includes(value) : httpAddress(value))) {
      const attribute = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
      mistakes.push(`${attribute}="${value}" must be ${words?.join(' or ') ?? 'an http(s) address'}`);
    }
  }
  if (parseList(sources)?.length === 0) {
    mistakes.push(`sources="${sources}" names no source: write sources="crm,calendar"`);
  }
  return mistakes;
}

/** Where tokens come from, by settings without mistakes. */
export function createTokenSource({ getToken, tokenUrl, tokenCredentials }: Settings): GetToken {
  // One of the two is there, and the words are known: mistakesIn has seen to that.
  return getToken ?? tokenFromUrl(tokenUrl ?? '', (tokenCredentials || 'same-origin') as RequestCredentials);
}

/** The connector types of a list separated by commas; null where there is none. */
export function parseList(text: string | null | undefined): readonly string[] | null {
  return text?.split(',').filter(part => part.trim()) ?? null;
}

/** Whether consent is to be given in the page's own window: there or then, the window of its own never comes back. */
export function usesRedirect({ oauthMode }: Settings): boolean {
  return (
    oauthMode === 'redirect' ||
    (!oauthMode &&
      // Browsers inside apps.
      /FBA[NV]|Instagram|Line\/|MicroMessenger|LinkedInApp|Snapchat|Pinterest|Bytedance|musical_ly|; wv\)|\((iPhone|iPad)(?!.*Safari\/)/i.test(
        navigator.userAgent,
      ))
  );
}
