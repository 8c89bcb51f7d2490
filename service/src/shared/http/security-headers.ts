/** What browsers must not do with data: run or frame it, guess its type, report its URL, or let other sites load it. */
const headers = {
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};
const oneYear = 365 * 24 * 60 * 60;

/** Returns the security headers of data responses. Pages replace those that they need in another way. */
export function securityHeaders(publicUrl: string): ReadonlyMap<string, string> {
  const isHttps = publicUrl.startsWith('https:');
  return new Map(
    Object.entries({
      ...headers,
      ...(isHttps && { 'Strict-Transport-Security': `max-age=${oneYear}; includeSubDomains` }),
    }),
  );
}
