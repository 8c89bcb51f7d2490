import { html, type TemplateResult } from 'lit';
import { urlOfPage } from '../routing/router.ts';

/** Renders a link to a page of the console. */
export function pageLink(path: string, text: string): TemplateResult {
  return html`<a href=${urlOfPage(path)} dir="auto">${text}</a>`;
}
