import { html, nothing, type TemplateResult } from 'lit';
import { lexer, type Token, type Tokens } from 'marked';

/**
 * Renders the Markdown of an answer. It can repeat text of vendors, so HTML and pictures are text, and only links to
 * Fieldbook's own pages work: a picture or a link elsewhere could carry data away.
 */
export function renderMarkdown(markdown: string): readonly unknown[] {
  return lexer(markdown).map(renderBlock);
}

function renderBlock(token: Token): unknown {
  // The type names the interface, which the union hides because of extensions.
  switch (token.type) {
    case 'space':
    case 'def':
      return nothing;
    case 'heading':
      return html`<h3>${inline((token as Tokens.Heading).tokens)}</h3>`;
    case 'code':
      return html`<pre><code>${(token as Tokens.Code).text}</code></pre>`;
    case 'list':
      return renderList(token as Tokens.List);
    case 'table':
      return renderTable(token as Tokens.Table);
    case 'paragraph':
      return html`<p dir="auto">${inline((token as Tokens.Paragraph).tokens)}</p>`;
    default:
      return renderInline(token);
  }
}

function renderList({ ordered, items }: Tokens.List): TemplateResult {
  const entries = items.map(({ tokens }) => html`<li dir="auto">${tokens.map(renderBlock)}</li>`);
  return ordered
    ? html`<ol>
        ${entries}
      </ol>`
    : html`<ul>
        ${entries}
      </ul>`;
}

function renderTable({ header, rows }: Tokens.Table): TemplateResult {
  const classOf = ({ align }: Tokens.TableCell) => (align === 'right' ? 'number' : nothing);
  return html`<div class="table" role="region" aria-label="Table" tabindex="0">
    <table>
      <thead>
        <tr>
          ${header.map(cell => html`<th scope="col" class=${classOf(cell)}>${inline(cell.tokens)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          cells =>
            html`<tr>
              ${cells.map(cell => html`<td class=${classOf(cell)} dir="auto">${inline(cell.tokens)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function inline(tokens: readonly Token[]): readonly unknown[] {
  return tokens.map(renderInline);
}

function renderInline(token: Token): unknown {
  switch (token.type) {
    case 'strong':
      return html`<strong>${inline((token as Tokens.Strong).tokens)}</strong>`;
    case 'em':
      return html`<em>${inline((token as Tokens.Em).tokens)}</em>`;
    case 'codespan':
      return html`<code>${(token as Tokens.Codespan).text}</code>`;
    case 'br':
      return html`<br />`;
    case 'link':
      return renderLink(token as Tokens.Link);
    case 'text': {
      const { tokens, text } = token as Tokens.Text;
      return tokens ? inline(tokens) : text;
    }
    case 'escape':
      return (token as Tokens.Escape).text;
    default:
      return token.raw;
  }
}

function renderLink({ href, tokens, raw }: Tokens.Link): unknown {
  return /^#[\w/-]+$/.test(href) ? html`<a href=${href}>${inline(tokens)}</a>` : raw;
}
