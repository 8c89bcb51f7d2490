import { stringifyJson } from '@connector-auth/api';
import type { FieldReference } from '@connector-auth/connectors/kind';
import { html, prose } from '../../shared/http/html.ts';
import type { Sample } from './code.ts';
import { escapeText, fromMarkdown, inline, join, within, type Content } from './content.ts';
import { anchored, codeBlocks } from './frames.ts';

/** Returns a heading with an id of its own; others get theirs from their text. The text is Markdown. */
export function heading(level: 2 | 3, id: string, text: string): Content {
  return { html: anchored(level, id, inline(text).html), markdown: `${'#'.repeat(level)} ${text}` };
}

/** Returns a heading that nothing links to, because others on the page have the same text. */
export function subheading(text: string): Content {
  return { html: html`<h3>${text}</h3>`, markdown: `### ${text}` };
}

/** Returns a part of the page that its heading names. */
export function section(id: string, content: Content): Content {
  return within(content, inner => html`<section aria-labelledby="${id}">${inner}</section>`);
}

/** Returns the paragraph that begins a page. */
export function lead(text: string): Content {
  return { html: html`<p class="lead">${inline(text).html}</p>`, markdown: text };
}

/** Returns a table. Cells are Markdown. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): Content {
  const line = (cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return fromMarkdown([line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n'), {});
}

/** Returns the id of a field's entry, to link to it. */
export function fieldId(section: string, path: string): string {
  return `${section}.${path.replaceAll(/[^\w.-]/g, '')}`;
}

type Field = Omit<FieldReference, 'isRequired' | 'isSecret'> &
  Partial<FieldReference> & { readonly note?: string };

/** Returns fields as a list. Fields of objects are indented. */
export function fieldList(section: string, fields: readonly Field[]): Content {
  return {
    html: html`<ul class="fields">
      ${fields.map(
        ({ path, type, isRequired, isSecret, description, note }) =>
          html`<li id="${fieldId(section, path)}" data-depth="${depthOf(path, fields)}">
            <code class="name">${path}</code> <span class="type">${prose(type)}</span>
            ${isRequired === true ? html`<span class="badge required">required</span>` : ''}
            ${isSecret === true ? html`<span class="badge">secret</span>` : ''}
            ${note === undefined ? '' : html`<span class="badge">${note}</span>`}
            ${description === '' ? '' : html`<p>${prose(description)}</p>`}
          </li>`,
      )}
    </ul>`,
    markdown: fields
      .map(({ path, type, isRequired, isSecret, description, note }) => {
        const marks = [
          type,
          ...(isRequired === true ? ['required'] : []),
          ...(isSecret === true ? ['secret'] : []),
        ];
        return `- \`${path}\` (${escapeText([...marks, ...(note === undefined ? [] : [note])].join('; '))})${
          description === '' ? '' : `: ${escapeText(description)}`
        }`;
      })
      .join('\n'),
  };
}

/** Returns how many fields contain this one, at most three. */
function depthOf(path: string, fields: readonly { readonly path: string }[]): number {
  const parents = fields.filter(
    other => path.startsWith(`${other.path}.`) || path.startsWith(`${other.path}[]`),
  );
  return Math.min(parents.length, 3);
}

/** Returns facts as pairs of a term and its value, which is Markdown. */
export function facts(pairs: readonly (readonly [term: string, value: string])[]): Content {
  return {
    html: html`<dl class="facts">
      ${pairs.map(
        ([term, value]) =>
          html`<div>
            <dt>${term}</dt>
            <dd>${inline(value).html}</dd>
          </div>`,
      )}
    </dl>`,
    markdown: pairs.map(([term, value]) => `- **${term}:** ${value}`).join('\n'),
  };
}

/** A link to a page, with what it is about. */
export interface Card {
  readonly title: string;
  readonly path: string;
  readonly text: string;
  /** The path of an icon. */
  readonly icon?: string;
}

/** Returns links as cards. */
export function cards(links: readonly Card[]): Content {
  return {
    html: html`<ul class="cards">
      ${links.map(
        ({ title, path, text, icon }) =>
          html`<li>
            <a href="${path}"
              >${icon === undefined ? '' : html`<img src="${icon}" alt="" width="28" height="28" />`}
              ${title}</a
            >
            <p>${prose(text)}</p>
          </li>`,
      )}
    </ul>`,
    markdown: links.map(({ title, path, text }) => `- [${title}](${path}): ${text}`).join('\n'),
  };
}

/** Returns text beside its samples, or above them on narrow screens. */
export function besideSamples(text: Content, code: Content): Content {
  return {
    html: html`<div class="split">
      <div class="text">${text.html}</div>
      <div class="code">${code.html}</div>
    </div>`,
    markdown: join([text, code]).markdown,
  };
}

/** Returns a closed block that opens on a click. */
export function folded(summary: string, content: Content): Content {
  return {
    html: html`<details>
      <summary>${summary}</summary>
      ${content.html}
    </details>`,
    markdown: `${summary}:\n\n${content.markdown}`,
  };
}

/** Returns the same sample in one or more languages. */
export function samples(title: string, alternatives: readonly Sample[]): Content {
  return {
    html: codeBlocks(title, alternatives),
    markdown: alternatives.map(({ language, text }) => `\`\`\`${language}\n${text}\n\`\`\``).join('\n\n'),
  };
}

/** Returns a JSON value, such as a response. */
export function jsonSample(title: string, value: unknown): Content {
  const { html, markdown } = samples(title, [{ language: 'json', text: stringifyJson(value, 2) }]);
  return { html, markdown: `${title}:\n\n${markdown}` };
}
