import { queryError } from './failure.ts';

/** A query token: a word (keyword, field or enum constant), a quoted string, a number or a symbol. */
export interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'symbol' | 'end';
  /** The token's text. Strings are unquoted and unescaped; other tokens are unchanged. */
  readonly text: string;
}

const PATTERN =
  /\s+|(?<word>[A-Za-z_][\w.]*)|(?<number>-?\d+(?:\.\d+)?)|(?<symbol><=|>=|!=|[=<>(),*])|(?<quote>['"])/y;

/** Splits a query into tokens. The last token is `end`. */
export function tokenize(query: string): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(PATTERN);
  for (let at = 0; at < query.length;) {
    pattern.lastIndex = at;
    const match = pattern.exec(query);
    if (!match) throw queryError('UNEXPECTED_INPUT', `Error in query: unexpected input ${query[at] ?? ''}.`);
    const { word, number, symbol, quote } = match.groups ?? {};
    at = pattern.lastIndex;
    if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol });
    else if (quote !== undefined) {
      const { text, end } = readText(query, at, quote);
      tokens.push({ kind: 'text', text });
      at = end;
    }
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}

function readText(query: string, start: number, quote: string): { text: string; end: number } {
  let text = '';
  for (let at = start; at < query.length; at++) {
    const character = query.charAt(at);
    if (character === quote) return { text, end: at + 1 };
    if (character === '\n') throw queryError('PROHIBITED_NEWLINE_IN_STRING', 'Newline in a string.');
    if (character !== '\\') {
      text += character;
      continue;
    }
    at += 1;
    const escaped = query.charAt(at);
    // Preserves other backslashes for regular expressions.
    text += escaped === quote || escaped === '\\' ? escaped : `\\${escaped}`;
  }
  throw queryError('STRING_NOT_TERMINATED', 'String literal is not terminated.');
}
