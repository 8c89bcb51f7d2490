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
export function linkButton(label: string, path: string, kind = ''): TemplateResult {
  return html`<a class="button ${kind}" href=${urlOfPage(path)}>${label}</a>`;
}

/**
 * Renders a link for operators who know that they leave something behind: they cancel a form or have stored a secret.
 * It shows the other page without a warning.
 */
export function leaveButton(label: string, path: string, kind = ''): TemplateResult {
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

/** Renders a link to a page of the console. */
export function pageLink(path: string, text: string): TemplateResult {
  return html`<a href=${urlOfPage(path)} dir="auto">${text}</a>`;
}

/** Renders a button. */
export function button(label: string, onClick: () => unknown, kind = ''): TemplateResult {
  return html`<button type="button" class="button ${kind}" @click=${onClick}>${label}</button>`;
}

/** Renders an id with a button that copies it. */
export function idWithCopy(id: string, what: string): TemplateResult {
  return html`<span class="id"
    ><code>${id}</code><console-copy .text=${id} .what=${what}></console-copy
  ></span>`;
}

/** Renders a value to paste elsewhere, with a button that copies it. */
export function copyField(label: string, text: string, hint?: string): TemplateResult {
  return html`<div class="field">
    <span class="label">${label}</span>
    ${copyBox(text, label.charAt(0).toLowerCase() + label.slice(1))}
    ${hint === undefined ? nothing : html`<p class="hint">${hint}</p>`}
  </div>`;
}

/** Renders a text in a box, with a button that copies it. */
export function copyBox(text: string, what: string): TemplateResult {
  return html`<div class="secret-value">
    <code>${text}</code><console-copy .text=${text} .what=${what}></console-copy>
  </div>`;
}

/** Starts a label with a capital letter. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
