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
  const origins = new Set(allowed.map(text => parseOrigin(text)));
  const parents = new Set(allowed.map(text => parsePattern(text)));
  return origin => {
    if (origins.has(origin)) return true;
    const parent = withoutFirstLabel(origin);
    return parent !== null && parents.has(parent);
  };
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
  if (typeof text === 'string' && isPattern(text)) {
    const origin = parsePattern(text);
    if (origin === null) {
      return 'Must have * as the whole first label of a domain, e.g. https://*.example.com or http://*.localhost:3000';
    }
    return isUnderPublicSuffix(new URL(origin).hostname)
      ? 'Must not have * directly under a public suffix such as com or github.io, where anyone can have a subdomain'
      : null;
  }
  return typeof text === 'string' && parseOrigin(text) !== null
    ? null
    : 'Must be https://host[:port], or http on localhost, without path or trailing slash. * can replace the first label';
}

function isPattern(text: string): boolean {
  return text.includes('*');
}

/** Returns the pattern's origin without `*.`, or null if the pattern is invalid. */
function parsePattern(pattern: string): string | null {
  if (!/^https?:\/\/\*\.[^*]+$/i.test(pattern)) return null;
  const example = parseOrigin(pattern.replace('*', 'label'));
  return example === null ? null : withoutFirstLabel(example);
}

/** Returns `https://b.example` for `https://a.b.example`, or null if the host has no first or no other label. */
function withoutFirstLabel(origin: string): string | null {
  const { protocol, host } = new URL(origin);
  const dot = host.indexOf('.');
  return dot < 1 ? null : `${protocol}//${host.slice(dot + 1)}`;
}

/** Returns whether different owners can have the subdomains of this domain. */
function isUnderPublicSuffix(domain: string): boolean {
  if (isLoopbackPage(domain)) return false;
  const subdomain = `label.${domain}`;
  const registrable = getDomain(subdomain, { allowPrivateDomains: true });
  return registrable === null || registrable === subdomain;
}
