import { html, type Html } from '../../shared/http/html.ts';
import { highlight, titleOf, type Sample } from './code.ts';

/** Renders a heading that links to itself. */
export function anchored(level: number, id: string, text: Html): Html {
  const content = html`${text}<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
  if (level <= 2) return html`<h2 id="${id}">${content}</h2>`;
  return level === 3 ? html`<h3 id="${id}">${content}</h3>` : html`<h4 id="${id}">${content}</h4>`;
}

/** Renders a table that scrolls horizontally on narrow screens. */
export function scrollable(columns: readonly string[], rows: readonly (readonly Html[])[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${columns.join(', ')}">
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

/** Renders the same sample in one or more languages. With scripts, the page shows one language at a time. */
export function codeBlocks(title: string, alternatives: readonly Sample[]): Html {
  return html`<div class="samples" role="group" aria-label="${title}">
    ${alternatives.map(sample => codeBlock(alternatives.length > 1 ? titleOf(sample) : title, sample))}
  </div>`;
}

function codeBlock(title: string, sample: Sample): Html {
  return html`<figure data-language="${sample.language}">
    <figcaption>${title}</figcaption>
    <pre tabindex="0"><code>${highlight(sample)}</code></pre>
  </figure>`;
}
