import { chooseLanguage } from '@connector-auth/api';
import type { Response } from 'express';
import { html } from '../../../shared/http/html.ts';
import { sendDocument } from '../../../shared/pages/document.ts';
import { toneIcon } from '../../../shared/pages/icons.ts';
import { style } from '../../../shared/pages/style.ts';
import { messages } from './messages/error-page.ts';

/**
 * Sends the page for a request that cannot be sent back to the client, such as one with an unknown client.
 * @param reason for the client's developers, in English. It can contain what the client sent.
 */
export function sendErrorPage(response: Response, status: number, reason: string): void {
  const language = chooseLanguage(response.req.headers['accept-language']);
  const { title, text } = messages[language];
  sendDocument(response, {
    status,
    language,
    title,
    style,
    script: null,
    body: html`<main>
      <div class="icons">${toneIcon('bad')}</div>
      <h1>${title}</h1>
      <p>${text}</p>
      <p class="note" lang="en" dir="auto">${reason}</p>
    </main>`,
    formAction: "'none'",
    openerPolicy: 'unsafe-none',
    referrerPolicy: 'no-referrer',
  });
}
