import { html, nothing, type TemplateResult } from 'lit';
import { urlOfPage } from '../routing/router.ts';
import { icons } from './icons.ts';

export interface PageHeadOptions {
  readonly title: string;
  readonly lead?: string | TemplateResult;
  /** The list that the page belongs to. */
  readonly parent?: { readonly path: string; readonly label: string };
  /** Shown beside the title, such as a status badge. */
  readonly badge?: TemplateResult | typeof nothing;
  readonly actions?: TemplateResult | typeof nothing;
}

/** Renders the top of a page. Its heading receives focus when the page opens. */
export function pageHead({ title, lead, parent, badge, actions }: PageHeadOptions): TemplateResult {
  return html`<header class="page-head">
    ${
      parent
        ? html`<a class="back" href=${urlOfPage(parent.path)}>${icons.back}<span>${parent.label}</span></a>`
        : nothing
    }
    <div class="page-title">
      <div class="page-heading">
        <div>
          <h1 tabindex="-1">${title}</h1>
          ${badge ?? nothing}
        </div>
        ${lead ? html`<p class="lead">${lead}</p>` : nothing}
      </div>
      ${actions ? html`<div class="actions">${actions}</div>` : nothing}
    </div>
  </header>`;
}

/** Renders a link that looks like a button. */
export function linkButton(label: string, path: string, kind: 'primary' | '' = ''): TemplateResult {
  return html`<a class="button ${kind}" href=${urlOfPage(path)}>${label}</a>`;
}

/**
 * Renders a link for operators who know that they leave something behind: they cancel a form or have stored a secret.
 * It shows the other page without a warning.
 */
export function leaveButton(label: string, path: string, kind: 'primary' | '' = ''): TemplateResult {
  return html`<a class="button ${kind}" href=${urlOfPage(path)} data-leaves>${label}</a>`;
}

/** Renders a section of a page, as a card with a heading. */
export function section(
  title: string,
  content: TemplateResult | readonly TemplateResult[],
  {
    lead,
    actions,
  }: { readonly lead?: string | TemplateResult; readonly actions?: TemplateResult | typeof nothing } = {},
): TemplateResult {
  return html`<section class="card">
    <header class="card-head">
      <div>
        <h2 tabindex="-1">${title}</h2>
        ${lead ? html`<p class="hint">${lead}</p>` : nothing}
      </div>
      ${actions ? html`<div class="actions">${actions}</div>` : nothing}
    </header>
    ${content}
  </section>`;
}

/** Renders names with their values. */
export function facts(entries: readonly (readonly [label: string, value: unknown])[]): TemplateResult {
  return html`<dl class="facts">
    ${entries.map(
      ([label, value]) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${value ?? html`<span class="muted">None</span>`}</dd>
        </div>`,
    )}
  </dl>`;
}
