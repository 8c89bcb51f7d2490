import { Marked, type Token, type Tokens } from 'marked';
import { Html, html } from '../../shared/http/html.ts';
import { isLanguage, samples } from './code.ts';
import { heading, table } from './parts.ts';
import type { Section } from './site.ts';

export interface Guide {
  readonly title: string;
  readonly sections: readonly Section[];
  readonly render: () => Html;
}

/** What a guide takes from the code: text in place of `{{name}}`, and blocks in place of `<!-- name -->`. */
export type Facts = Readonly<Record<string, string | number | (() => Html)>>;

/**
 * Parses a guide in Markdown.
 * @throws Error if the guide names an unknown fact.
 */
export function parseGuide(markdown: string, facts: Facts): Guide {
  const marked = createMarked(facts);
  const tokens = marked.lexer(fillIn(markdown, facts));
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading');
  const title = headings.find(({ depth }) => depth === 1)?.text ?? '';
  return {
    title,
    sections: headings
      .filter(({ depth }) => depth === 2)
      .map(({ text }) => ({ id: slugOf(text), title: plain(text) })),
    render: () =>
      // The guides are files of this package, so their HTML is trusted.
      new Html(marked.parser(joinSamples(tokens.filter(token => !isTitle(token))))),
  };
}

function isTitle(token: Token): boolean {
  return token.type === 'heading' && token['depth'] === 1;
}

function fillIn(markdown: string, facts: Facts): string {
  return markdown.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    const fact = facts[name];
    if (fact === undefined || typeof fact === 'function')
      throw new Error(`The guide names an unknown fact: ${placeholder}`);
    return String(fact);
  });
}

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

function createMarked(facts: Facts): Marked {
  return new Marked({
    extensions: [
      {
        name: 'samples',
        renderer: token => renderSamples(token['blocks'] as Tokens.Code[]),
      },
    ],
    renderer: {
      heading({ tokens, depth, text }) {
        const level = depth === 2 ? 2 : depth === 3 ? 3 : 4;
        return heading(level, slugOf(text), new Html(this.parser.parseInline(tokens))).toString();
      },
      table({ header, rows }) {
        const inline = (cell: Tokens.TableCell) => new Html(this.parser.parseInline(cell.tokens));
        const columns = header.map(({ text }) => plain(text));
        return table(
          columns.join(', '),
          columns,
          rows.map(row => row.map(inline)),
        ).toString();
      },
      html({ text }) {
        const name = /^<!-- (\w+) -->$/.exec(text.trim())?.[1] ?? '';
        const block = facts[name];
        if (typeof block !== 'function') throw new Error(`The guide names an unknown block: ${text}`);
        return block().toString();
      },
      blockquote({ tokens }) {
        return `<aside class="note">${this.parser.parse(tokens)}</aside>`;
      },
      link({ href, tokens }) {
        return html`<a href="${addressOf(href)}">${new Html(this.parser.parseInline(tokens))}</a>`.toString();
      },
    },
  });
}

function renderSamples(blocks: readonly Tokens.Code[]): string {
  const alternatives = blocks.map(({ lang = '', text }) => {
    if (!isLanguage(lang)) throw new Error(`The guide has a sample in an unknown language: ${lang}`);
    return { language: lang, text };
  });
  const [first] = alternatives;
  const title =
    first === undefined
      ? ''
      : { sh: 'Shell', ts: 'TypeScript', json: 'JSON', html: 'HTML', http: 'HTTP' }[first.language];
  return samples(title, alternatives).toString();
}

/** Links between guides name files, so that they also work where the repository is browsed. */
function addressOf(href: string): string {
  return href.replace(/^([\w-]+)\.md(?=#|$)/, '/docs/$1');
}

function slugOf(text: string): string {
  return plain(text)
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-');
}

function plain(text: string): string {
  return text.replaceAll(/[`*]/g, '');
}
