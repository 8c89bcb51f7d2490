import { Marked, type Token, type Tokens } from 'marked';
import { Html, html } from '../../shared/http/html.ts';
import { isLanguage, type Sample } from './code.ts';
import { anchored, codeBlocks, scrollable } from './frames.ts';

/** A part of a page, as HTML and as Markdown. */
export interface Content {
  readonly html: Html;
  readonly markdown: string;
}

type Part = Content | string | number | readonly Part[];

/**
 * Writes Markdown, with content as it is and text escaped: words in backticks stay code, and nothing else in a
 * text is markup. Indentation is ignored.
 */
export function md(strings: TemplateStringsArray, ...values: readonly Part[]): Content {
  const blocks: Content[] = [];
  const place = (part: Part): string => {
    if (Array.isArray(part)) return part.map(place).join('\n\n');
    if (typeof part !== 'object') return escapeText(String(part));
    // An array was handled above, which the compiler does not see for readonly ones.
    return `<!-- ${blocks.push(part as Content) - 1} -->`;
  };
  const text = strings
    .map(
      (string, index) =>
        string.replaceAll(/\n[ \t]+/g, '\n') + (index < values.length ? place(values[index] ?? '') : ''),
    )
    .join('');
  return fromMarkdown(text, blocks);
}

/** Renders Markdown in which `<!-- name -->` stands for a block. */
export function fromMarkdown(
  text: string,
  blocks: Readonly<Record<string, Content>> | readonly Content[],
): Content {
  const blockOf = (placeholder: string): Content => {
    const name = /^<!-- (\w+) -->$/.exec(placeholder.trim())?.[1] ?? '';
    const block = (blocks as Readonly<Record<string, Content>>)[name];
    if (block === undefined) throw new Error(`Unknown block: ${placeholder}`);
    return block;
  };
  const marked = createMarked(blockOf);
  return {
    // The text is from files of this package and from declarations, and markup in it is rejected above.
    html: new Html(marked.parser(joinSamples(marked.lexer(text)))),
    markdown: text
      .replaceAll(/<!-- \w+ -->/g, placeholder => blockOf(placeholder).markdown)
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
  };
}

/** Returns Markdown that is a part of a line, but not its start. */
export function inline(text: string): Content {
  return { html: new Html(plainMarked.parseInline(text, { async: false })), markdown: text };
}

/** Surrounds content with HTML. Its Markdown stays the same. */
export function within(content: Content, surround: (html: Html) => Html): Content {
  return { html: surround(content.html), markdown: content.markdown };
}

/** Joins content. */
export function join(parts: readonly Content[]): Content {
  return {
    html: html`${parts.map(part => part.html)}`,
    markdown: parts
      .map(({ markdown }) => markdown)
      .filter(text => text !== '')
      .join('\n\n'),
  };
}

/** Escapes what Markdown would take for markup, except in code. */
export function escapeText(text: string): string {
  return text
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/[\\*<[\]]|(?<!\w)_|_(?!\w)/g, String.raw`\$&`),
    )
    .join('`');
}

/** Returns the id of a heading. */
export function slugOf(text: string): string {
  return plain(text)
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-');
}

/** Removes the marks of code and emphasis. */
export function plain(text: string): string {
  return text.replaceAll(/[`*]/g, '');
}

function createMarked(blockOf: (placeholder: string) => Content): Marked {
  return new Marked({
    extensions: [{ name: 'samples', renderer: token => renderSamples(token['blocks'] as Tokens.Code[]) }],
    renderer: {
      heading({ tokens, depth, text }) {
        return anchored(depth, slugOf(text), new Html(this.parser.parseInline(tokens))).toString();
      },
      table({ header, rows }) {
        const cell = ({ tokens }: Tokens.TableCell) => new Html(this.parser.parseInline(tokens));
        return scrollable(
          header.map(({ text }) => plain(text)),
          rows.map(row => row.map(cell)),
        ).toString();
      },
      html({ text }) {
        return blockOf(text).html.toString();
      },
      blockquote({ tokens }) {
        return `<aside class="note">${this.parser.parse(tokens)}</aside>`;
      },
      link({ href, tokens }) {
        return html`<a href="${addressOf(href)}">${new Html(this.parser.parseInline(tokens))}</a>`.toString();
      },
      paragraph({ tokens }) {
        const content = this.parser.parseInline(tokens);
        // A block is no paragraph.
        return tokens.every(({ type }) => type === 'html') ? content : `<p>${content}</p>\n`;
      },
    },
  });
}

const plainMarked = createMarked(placeholder => {
  throw new Error(`A block within a line: ${placeholder}`);
});

/** Joins adjacent blocks of code, which are the same sample in several languages. */
function joinSamples(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    if (token.type === 'code' && last?.type === 'samples') last['blocks'].push(token);
    else if (token.type === 'code') joined.push({ type: 'samples', raw: token.raw, blocks: [token] });
    // Empty lines between blocks do not separate them.
    else if (token.type !== 'space') joined.push(token);
  }
  return joined;
}

function renderSamples(blocks: readonly Tokens.Code[]): string {
  const alternatives = blocks.map(({ lang = '', text }): Sample => {
    if (!isLanguage(lang)) throw new Error(`A sample is in an unknown language: ${lang}`);
    return { language: lang, text };
  });
  const [first] = alternatives;
  const titles = { sh: 'Shell', ts: 'TypeScript', json: 'JSON', html: 'HTML', http: 'HTTP', css: 'CSS' };
  return codeBlocks(first === undefined ? '' : titles[first.language], alternatives).toString();
}

/** Links between guides name files, so that they also work where the repository is browsed. */
function addressOf(href: string): string {
  return href.replace(/^([\w-]+)\.md(?=#|$)/, '/docs/$1');
}
