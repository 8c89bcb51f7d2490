import type { FieldReference } from '@connector-auth/connectors/kind';
import { html, prose, type Html } from '../../shared/http/html.ts';

/** Renders a heading that links to itself. */
export function heading(level: 2 | 3 | 4, id: string, text: Html | string): Html {
  const content = html`${text}<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
  if (level === 2) return html`<h2 id="${id}">${content}</h2>`;
  return level === 3 ? html`<h3 id="${id}">${content}</h3>` : html`<h4 id="${id}">${content}</h4>`;
}

/** Renders a table that scrolls horizontally on narrow screens. */
export function table(
  label: string,
  columns: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${columns.map(column => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          cells =>
            html`<tr>
              ${cells.map((cell, index) => (index === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Returns the id of a field's entry, to link to it. */
export function fieldId(section: string, path: string): string {
  return `${section}.${path.replaceAll(/[^\w.-]/g, '')}`;
}

/** Renders fields as a list. Fields of objects are indented. */
export function fieldList(
  section: string,
  fields: readonly (Omit<FieldReference, 'isRequired' | 'isSecret'> &
    Partial<FieldReference> & { readonly note?: string })[],
): Html {
  return html`<ul class="fields">
    ${fields.map(
      ({ path, type, isRequired, isSecret, description, note }) =>
        html`<li id="${fieldId(section, path)}" data-depth="${depthOf(path, fields)}">
          <code class="name">${path}</code> <span class="type">${type}</span>
          ${isRequired === true ? html`<span class="badge required">required</span>` : ''}
          ${isSecret === true ? html`<span class="badge">secret</span>` : ''}
          ${note === undefined ? '' : html`<span class="badge">${note}</span>`}
          ${description === '' ? '' : html`<p>${prose(description)}</p>`}
        </li>`,
    )}
  </ul>`;
}

/** Returns how many fields contain this one, at most three. */
function depthOf(path: string, fields: readonly { readonly path: string }[]): number {
  const parents = fields.filter(
    other => path.startsWith(`${other.path}.`) || path.startsWith(`${other.path}[]`),
  );
  return Math.min(parents.length, 3);
}

/** Renders facts as pairs of a term and its value. */
export function facts(pairs: readonly (readonly [string, Html | string])[]): Html {
  return html`<dl class="facts">
    ${pairs.map(
      ([term, value]) =>
        html`<div>
          <dt>${term}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Renders text beside its samples, or above them on narrow screens. */
export function besideSamples(text: Html, code: Html): Html {
  return html`<div class="split">
    <div class="text">${text}</div>
    <div class="code">${code}</div>
  </div>`;
}
