import { createHash } from 'node:crypto';
import { directionOf, type Language } from '@connector-auth/api';
import type { Response } from 'express';
import { Html, html } from '../http/html.ts';

/** A page for end-customers. It loads nothing from other origins. */
export interface PageDocument {
  readonly status: number;
  readonly language: Language;
  readonly title: string;
  readonly style: string;
  /** The inline script, or null. */
  readonly script: string | null;
  /** More elements for the head. */
  readonly head?: Html;
  readonly body: Html;
  /** The `form-action` of the page's Content-Security-Policy. */
  readonly formAction: string;
  /** More directives of the policy. */
  readonly policy?: readonly string[];
  /** More sources of scripts. */
  readonly scriptSource?: string;
  readonly openerPolicy: 'unsafe-none' | 'same-origin-allow-popups';
  readonly referrerPolicy: 'no-referrer' | 'same-origin';
}

/**
 * Sends a page. Its Content-Security-Policy allows only the given inline style and script and images from the service,
 * and forbids framing.
 */
export function sendDocument(response: Response, page: PageDocument): void {
  const { status, language, title, style, script, head, body, formAction, scriptSource } = page;
  const scripts = [...(script === null ? [] : [sourceOf(script)]), ...(scriptSource ? [scriptSource] : [])];
  const policy = [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    ...(scripts.length === 0 ? [] : [`script-src ${scripts.join(' ')}`]),
    "img-src 'self' data:",
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(page.policy ?? []),
  ];
  const text = html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        ${head ?? ''}
        <title>${title}</title>
        ${inline('style', style)}
      </head>
      <body>
        ${body}${script === null ? '' : inline('script', script)}
      </body>
    </html>`.toString();
  response
    .status(status)
    .set({
      'Content-Security-Policy': policy.join('; '),
      'Cross-Origin-Opener-Policy': page.openerPolicy,
      'Referrer-Policy': page.referrerPolicy,
      'Cache-Control': 'no-store',
      'Content-Language': language,
      Vary: 'Accept-Language',
    })
    .type('html')
    .send(text);
}

/** Must match the text that the policy's hashes are computed from, so html`` must not escape it. */
function inline(name: 'style' | 'script', text: string): Html {
  return new Html(`<${name}>${text}</${name}>`);
}

/** Returns the Content-Security-Policy source that allows an inline element with exactly this text. */
function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
