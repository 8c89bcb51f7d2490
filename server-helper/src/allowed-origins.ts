import { isLoopbackPage, parseOrigin } from '@connector-auth/api';
import { getDomain } from 'tldts';
import { z } from 'zod';

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

/** Parses {@link AllowedOrigins}, for callers in plain JavaScript, who can pass anything. */
export const allowedOrigins = z
  .unknown()
  .transform((allowed, context): AllowedOrigins => {
    // Each of its results is checked below.
    if (typeof allowed === 'function') return allowed as () => boolean;
    const { data = [], error } = originList.safeParse(allowed);
    for (const { message, path } of error?.issues ?? []) context.addIssue({ code: 'custom', message, path });
    return data;
  })
  .transform((allowed): AllowsOrigin => {
    const isListed = typeof allowed === 'function' ? allowed : inList(new Set(allowed));
    return async origin => {
      // Browsers send normalized origins only. No token can be minted for any other text.
      if (parseOrigin(origin) !== origin) return false;
      const isAllowed: unknown = await isListed(origin);
      if (typeof isAllowed === 'boolean') return isAllowed;
      throw new TypeError('allowedOrigins must return true or false');
    };
  });

function inList(list: ReadonlySet<string>): (origin: string) => boolean {
  return origin => list.has(origin) || list.has(patternOf(origin));
}

const originMessage =
  'Must be https://host[:port], or http on localhost, without path or trailing slash. * can replace the first label';
const listMessage = "Must list your pages' origins, e.g. ['https://app.example.com'], or be a function";

const originList = z
  .array(
    z.string(originMessage).transform((text, context) => {
      const isPattern = text.includes('*');
      const normal = isPattern ? parsePattern(text) : parseOrigin(text);
      if (normal === null && !isPattern) context.addIssue(originMessage);
      else if (normal === null) {
        context.addIssue(
          'Must have * as the whole first label of a domain, e.g. https://*.example.com or http://*.localhost:3000',
        );
      } else if (isPattern && isUnderPublicSuffix(normal)) {
        context.addIssue(
          'Must not have * directly under a public suffix such as com or github.io, where anyone can have a subdomain',
        );
      }
      return normal ?? '';
    }),
    listMessage,
  )
  .min(1, listMessage);

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
