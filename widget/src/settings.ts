import { normalized } from './flow/sources.ts';
import {
  attributeOf,
  propertyNames,
  propertySpecs,
  type ConnectorAuthProperties,
  type FlowSettings,
} from './properties.ts';
import { httpAddress } from './service/http-address.ts';
import { tokenFromUrl, type GetToken } from './service/widget-token.ts';

/** Returns one sentence for each invalid or missing setting. */
export function findIssues(settings: FlowSettings & Partial<ConnectorAuthProperties>): readonly string[] {
  const { tokenUrl, getToken, sources } = settings;
  const issues: string[] = [];
  if (!getToken && !tokenUrl) {
    issues.push('set token-url="/connector-auth/widget-token" or the property getToken');
  }
  if (getToken && tokenUrl) issues.push('set token-url or getToken, not both');
  if (getToken && typeof getToken !== 'function') {
    issues.push('getToken must be a function that returns a promise');
  }
  for (const name of propertyNames) {
    const value = settings[name];
    const { values, isUrl } = propertySpecs[name];
    if (typeof value !== 'string' || !value) continue;
    if (values ? !values.includes(value) : isUrl && !httpAddress(value)) {
      issues.push(`${attributeOf(name)}="${value}" must be ${values?.join(' or ') ?? 'an http(s) URL'}`);
    }
  }
  if (parseList(sources)?.length === 0) {
    issues.push(`sources="${sources}" lists no connector type: write sources="crm,calendar"`);
  }
  return issues;
}

/** Returns the function that gets tokens. The settings must be valid. */
export function createTokenSource({ getToken, tokenUrl, tokenCredentials }: FlowSettings): GetToken {
  // findIssues has checked that one of the two is set and that the values are allowed.
  return getToken ?? tokenFromUrl(tokenUrl ?? '', tokenCredentials || 'same-origin');
}

/**
 * Returns the icons by normalized connector type that are `data:` images or come from this page's origin, and the
 * types of the others. Another origin could replace an image after it was approved, and learn who connects what.
 */
export function approveIcons(icons: ConnectorAuthProperties['icons']): {
  readonly approved: ReadonlyMap<string, string>;
  readonly rejected: readonly string[];
} {
  const approved = new Map<string, string>();
  const rejected: string[] = [];
  for (const [type, url] of Object.entries(icons ?? {})) {
    if (isOwnImage(url)) approved.set(normalized(type), url);
    else rejected.push(type);
  }
  return { approved, rejected };
}

function isOwnImage(url: unknown): boolean {
  if (typeof url !== 'string') return false;
  return /^data:image\//i.test(url) || URL.parse(url, document.baseURI)?.origin === location.origin;
}

/** Splits a comma-separated list. Returns null if there is no list. */
export function parseList(text: string | null | undefined): readonly string[] | null {
  return text?.split(',').filter(part => part.trim()) ?? null;
}

/**
 * Returns whether OAuth flows run in the page's own window. By default, they do so only in in-app browsers,
 * where a pop-up could never return to the page.
 */
export function usesRedirect({ oauthMode }: FlowSettings): boolean {
  return (
    oauthMode === 'redirect' ||
    (!oauthMode &&
      // In-app browsers.
      /FBA[NV]|Instagram|Line\/|MicroMessenger|LinkedInApp|Snapchat|Pinterest|Bytedance|musical_ly|; wv\)|\((iPhone|iPad)(?!.*Safari\/)/i.test(
        navigator.userAgent,
      ))
  );
}
