import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Sets security headers on data responses. The headers forbid scripts, framing, content sniffing and
 * referrers.
 */
export function securityHeaders(publicUrl: string): RequestHandler {
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: publicUrl.startsWith('https:'),
  });
  // The headers are the same for all requests, and helmet calls a function for each of them.
  const sample = new ServerResponse(new IncomingMessage(new Socket()));
  setHeaders(sample.req, sample, () => {});
  const headers = new Map(sample.getHeaderNames().map(name => [name, String(sample.getHeader(name))]));
  return (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };
}
