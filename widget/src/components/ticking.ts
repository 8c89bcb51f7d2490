import { html, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';

/**
 * Renders a sentence about a time, whose absolute value is its tooltip. The screens that contain one are rendered
 * again every second (see screens/steps.ts).
 */
export function ticking(time: string, { language }: Messages, sentence: string): TemplateResult {
  const absolute = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  return html`<time datetime=${time} title=${absolute.format(new Date(time))}>${sentence}</time>`;
}
