import { Router, type RequestHandler, type Response } from 'express';
import type { Log } from '../../platform/log/log.ts';
import { sendBuiltFile } from '../../shared/http/built-files.ts';
import { html } from '../../shared/http/html.ts';
import { findBuiltConsole, readBuiltConsole, type BuiltConsole } from './built-console.ts';

export interface ConsoleOptions {
  /** The service's public base URL, which the console shows in code to paste. */
  readonly publicUrl: string;
  readonly log: Log;
  /** The folder with the built console. Default: the one in the package. */
  readonly folder?: string | null;
}

const base = '/console';

/**
 * Serves the administration console under `/console`. If it was not built, every page says so and the log contains a
 * warning.
 */
export function mountConsole({ publicUrl, log, folder = findBuiltConsole() }: ConsoleOptions): Router {
  const router = Router();
  if (folder === null) {
    log.warn('console_missing', {
      hint: 'The console was not built. Run `pnpm build`, then restart the service.',
    });
    router.get([base, `${base}/{*path}`], serveMissing);
    return router;
  }
  const { page, files } = readBuiltConsole(folder);
  router.get([base, `${base}/{*path}`], secure(publicUrl), serveFile(files), servePage(page, publicUrl));
  return router;
}

/** Allows scripts and styles of this origin only, without inline code, and requires Trusted Types. */
function secure(publicUrl: string): RequestHandler {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Logos come from the public URL, which differs if the console listens on a private address.
    `img-src 'self' data: ${new URL(publicUrl).origin}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ].join('; ');
  return (_request, response, next) => {
    response.locals['route'] = base;
    response.set({
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
    next();
  };
}

/** Serves the files of the build. Their names contain a hash of their content, except for the icon. */
function serveFile(files: BuiltConsole['files']): RequestHandler {
  return (request, response, next) => {
    const path = request.path.slice(base.length + 1);
    const isHashed = path.startsWith('assets/');
    const file = files.get(path);
    if (!file) {
      // `router` passes the request to the handler for unknown endpoints.
      next(isHashed ? 'router' : undefined);
      return;
    }
    sendBuiltFile(request, response, file, { isHashed });
  };
}

/** Serves the page for every path, because the console's script decides what it shows. */
function servePage(page: string, publicUrl: string): RequestHandler {
  const meta = html`<meta name="service-url" content="${publicUrl}" />`.toString();
  const text = page.replace(/<meta name="service-url"[^>]*>/, () => meta);
  return (_request, response) => sendPage(response, 200, text);
}

const serveMissing: RequestHandler = (_request, response) => {
  response.locals['route'] = base;
  const text = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <title>The console was not built</title>
      </head>
      <body>
        <h1>The console was not built</h1>
        <p>Run <code>pnpm build</code> in the project’s folder, then restart the service.</p>
      </body>
    </html>`.toString();
  sendPage(response, 503, text);
};

function sendPage(response: Response, status: number, text: string): void {
  response.status(status).set('Cache-Control', 'no-store').type('html').send(text);
}
