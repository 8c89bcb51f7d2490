import { isLoopbackPage, parseOrigin, type Issue } from '@connector-auth/api';
import { getDomain } from 'tldts';

/**
 * The pages that can embed the widget: a list of origins, or a function that is called with each origin.
 *
 * An origin in the list is exactly what browsers send, e.g. `https://app.example.com`, or has `*` as its first
 * label, e.g. `https://*.example.com` or `http://*.localhost:3000`. The `*` matches exactly one label. Every page
 * on a matching subdomain can act for the customer who visits it, also if an attacker controls the subdomain.
 */
export type AllowedOrigins = readonly string[] | ((origin: string) => boolean | Promise<boolean>);

/** Returns whether a page on this origin is allowed. Rejects only with errors of the integrator's function. */
export type AllowsOrigin = (origin: string) => Promise<boolean>;

/** Creates an {@link AllowsOrigin} for options without {@link findAllowedOriginIssues}. */
export function createAllowsOrigin(allowed: AllowedOrigins): AllowsOrigin {
  const isListed = typeof allowed === 'function' ? allowed : inList(allowed);
  return async origin => {
    // Browsers send normalized origins only. No token can be minted for any other text.
    if (parseOrigin(origin) !== origin) return false;
    const isAllowed: unknown = await isListed(origin);
    if (typeof isAllowed === 'boolean') return isAllowed;
    throw new TypeError('allowedOrigins must return true or false');
  };
}

function inList(allowed: readonly string[]): (origin: string) => boolean {
  const list = new Set(allowed.map(text => parsePattern(text) ?? parseOrigin(text)));
  return origin => list.has(origin) || list.has(patternOf(origin));
}

/** Returns the issues with `allowedOrigins`, or an empty array if it is valid. */
export function findAllowedOriginIssues(allowed: unknown): Issue[] {
  if (typeof allowed === 'function') return [];
  if (!Array.isArray(allowed) || allowed.length === 0) {
    return [
      {
        path: 'allowedOrigins',
        message: "Must list your pages' origins, e.g. ['https://app.example.com'], or be a function",
      },
    ];
  }
  return allowed.flatMap((text: unknown, index) => {
    const message = originIssue(text);
    return message === null ? [] : [{ path: `allowedOrigins.${index}`, message }];
  });
}

function originIssue(text: unknown): string | null {
  if (typeof text === 'string' && text.includes('*')) {
    const pattern = parsePattern(text);
    if (pattern === null) {
      return 'Must have * as the whole first label of a domain, e.g. https://*.example.com or http://*.localhost:3000';
    }
    return isUnderPublicSuffix(pattern)
      ? 'Must not have * directly under a public suffix such as com or github.io, where anyone can have a subdomain'
      : null;
  }
  return typeof text === 'string' && parseOrigin(text) !== null
    ? null
    : 'Must be https://host[:port], or http on localhost, without path or trailing slash. * can replace the first label';
}

/** Returns the normalized pattern, or null if it is invalid. */
function parsePattern(pattern: string): string | null {
  if (!/^https?:\/\/\*\.[^*]+$/i.test(pattern)) return null;
  const example = parseOrigin(pattern.replace('*', 'label'));
  return example === null ? null : patternOf(example);
}

/** Returns the pattern that matches an origin, e.g. `https://*.example.com` for `https://a.example.com`. */
function patternOf(origin: string): string {
  return origin.replace(/\/\/[^.]+\./, '//*.');
}

/** Returns whether different owners can have the subdomains that match the pattern. */
function isUnderPublicSuffix(pattern: string): boolean {
  const { hostname } = new URL(pattern.replace('*', 'label'));
  if (isLoopbackPage(hostname)) return false;
  const registrable = getDomain(hostname, { allowPrivateDomains: true });
  return registrable === null || registrable === hostname;
}
