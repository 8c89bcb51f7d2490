import { attributeOf, propertyNames, propertySpecs, type ConnectorAuthProperties } from './properties.ts';
import { httpAddress } from './service/http-address.ts';
import { tokenFromUrl, type GetToken } from './service/widget-token.ts';

/**
 * Returns what is wrong with the integrator's settings, one sentence each. Missing settings are also an
 * issue.
 */
export function findIssues(settings: ConnectorAuthProperties): readonly string[] {
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

/** Returns where tokens come from. The settings must have no issues. */
export function createTokenSource({
  getToken,
  tokenUrl,
  tokenCredentials,
}: ConnectorAuthProperties): GetToken {
  // findIssues has checked that one of the two is set, and the allowed values.
  return getToken ?? tokenFromUrl(tokenUrl ?? '', (tokenCredentials || 'same-origin') as RequestCredentials);
}

/** Splits a list at its commas; null without a list. */
export function parseList(text: string | null | undefined): readonly string[] | null {
  return text?.split(',').filter(part => part.trim()) ?? null;
}

/** Whether consent is given in the page's own window: by setting, or where a pop-up could never return. */
export function usesRedirect({ oauthMode }: ConnectorAuthProperties): boolean {
  return (
    oauthMode === 'redirect' ||
    (!oauthMode &&
      // In-app browsers.
      /FBA[NV]|Instagram|Line\/|MicroMessenger|LinkedInApp|Snapchat|Pinterest|Bytedance|musical_ly|; wv\)|\((iPhone|iPad)(?!.*Safari\/)/i.test(
        navigator.userAgent,
      ))
  );
}
