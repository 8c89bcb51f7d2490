import { queryError } from './failure.ts';

/** What follows each operator in a condition. */
const OPERANDS = {
  'IS NULL': 'none',
  'IS NOT NULL': 'none',
  IN: 'list',
  'NOT IN': 'list',
  'CONTAINS ANY': 'list',
  'CONTAINS ALL': 'list',
  'CONTAINS NONE': 'list',
  BETWEEN: 'pair',
  DURING: 'value',
  LIKE: 'value',
  'NOT LIKE': 'value',
  REGEXP_MATCH: 'value',
  'NOT REGEXP_MATCH': 'value',
  '=': 'value',
  '!=': 'value',
  '>=': 'value',
  '<=': 'value',
  '>': 'value',
  '<': 'value',
} as const;

export type Operator = keyof typeof OPERANDS;

/** A literal in a query: a quoted string, a number or a bare word. */
export interface Literal {
  readonly kind: 'text' | 'number' | 'word';
  readonly text: string;
}

/** A WHERE condition. */
export interface Condition {
  readonly field: string;
  readonly operator: Operator;
  readonly values: readonly Literal[];
}

/** A parsed query. `planQuery` validates its fields. */
export interface Query {
  readonly select: readonly string[];
  readonly from: string;
  readonly where: readonly Condition[];
  readonly orderBy: readonly { readonly field: string; readonly isDescending: boolean }[];
  readonly limit: number | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Parses a query; throws a `queryError` for a syntax error. */
export function parseQuery(text: string): Query {
  const reader = new Reader(tokenize(text));
  reader.expect('EXPECTED_SELECT', 'SELECT');
  const select = reader.list(() => reader.name('BAD_FIELD_NAME'));
  reader.expect('EXPECTED_FROM', 'FROM');
  const from = reader.name('BAD_RESOURCE_TYPE_IN_FROM_CLAUSE');
  const where = reader.take('WHERE') ? parseWhere(reader) : [];
  const orderBy = reader.take('ORDER') ? parseOrder(reader) : [];
  const limit = reader.take('LIMIT') ? parseLimit(reader) : undefined;
  const parameters = reader.take('PARAMETERS') ? parseParameters(reader) : {};
  reader.expectEnd();
  return { select, from, where, orderBy, limit, parameters };
}

/** Strings are unquoted and unescaped; other tokens are unchanged. */
interface Token {
  readonly kind: Literal['kind'] | 'symbol';
  readonly text: string;
}

const TOKEN =
  /\s*(?:(?<word>[A-Za-z_][\w.]*)|(?<number>-?\d+(?:\.\d+)?)|(?<symbol><=|>=|!=|[=<>(),*])|(?<quote>['"])(?<string>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>)/sy;

function tokenize(query: string): Token[] {
  const tokens: Token[] = [];
  const text = query.trimEnd();
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const { word, number, symbol, quote, string } = pattern.exec(text)?.groups ?? {};
    if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol });
    else if (string !== undefined) {
      // Preserves other backslashes for regular expressions.
      const unescaped = string.replaceAll(/\\(.)/gs, (whole, character: string) =>
        character === quote || character === '\\' ? character : whole,
      );
      tokens.push({ kind: 'text', text: unescaped });
    } else throw unexpectedInput(text.slice(at).trimStart());
  }
  return tokens;
}

function unexpectedInput(rest: string): Error {
  return /^['"]/.test(rest)
    ? queryError('STRING_NOT_TERMINATED', 'String literal is not terminated.')
    : queryError('UNEXPECTED_INPUT', `Error in query: unexpected input ${rest.charAt(0)}.`);
}

const KEYWORDS = ['SELECT', 'FROM', 'WHERE', 'ORDER', 'BY', 'LIMIT', 'PARAMETERS', 'AND', 'ASC', 'DESC'];

/** Reads tokens one after the other. */
class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** Consumes these keywords or symbols if they are next, ignoring case; returns whether they were. */
  take(...words: readonly string[]): boolean {
    const isNext = words.every((word, offset) => {
      const token = this.#tokens[this.#at + offset];
      return token !== undefined && token.kind !== 'text' && token.text.toUpperCase() === word;
    });
    if (isNext) this.#at += words.length;
    return isNext;
  }

  /** Consumes a keyword or symbol; throws this error if another one is next. */
  expect(error: string, word: string): void {
    if (!this.take(word)) throw this.error(error, word);
  }

  expectEnd(): void {
    if (this.#at < this.#tokens.length) throw this.error('UNEXPECTED_INPUT', 'the end');
  }

  /** Reads the name of a field or resource; throws this error if something else is next. */
  name(error: string): string {
    const { kind, text } = this.#peek();
    if (kind !== 'word' || KEYWORDS.includes(text.toUpperCase())) throw this.error(error, 'a name');
    this.#at += 1;
    return text;
  }

  value(): Literal {
    const { kind, text } = this.#peek();
    if (kind === 'symbol') {
      throw this.error(text === '(' ? 'EXPECTED_SINGLE_VALUE' : 'BAD_VALUE', 'a value');
    }
    this.#at += 1;
    return { kind, text };
  }

  /** Reads items separated by commas. */
  list<T>(read: () => T): T[] {
    const items = [read()];
    while (this.take(',')) items.push(read());
    return items;
  }

  error(code: string, expected: string): Error {
    const next = this.#tokens[this.#at];
    const place = next === undefined ? 'before the end' : `near '${next.text}'`;
    return queryError(code, `Error in query: expected ${expected} ${place}.`);
  }

  #peek(): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) {
      throw queryError('UNEXPECTED_END_OF_QUERY', 'Error in query: unexpected end of query.');
    }
    return token;
  }
}

function parseWhere(reader: Reader): Condition[] {
  const conditions = [parseCondition(reader)];
  while (reader.take('AND')) conditions.push(parseCondition(reader));
  if (reader.take('OR')) throw queryError('EXPECTED_AND', "Error in query: expected AND near 'OR'.");
  return conditions;
}

function parseCondition(reader: Reader): Condition {
  const field = reader.name('BAD_FIELD_NAME');
  // The constant has only operators as keys.
  const operators = Object.keys(OPERANDS) as Operator[];
  const operator = operators.find(one => reader.take(...one.split(' ')));
  if (operator === undefined) throw reader.error('BAD_OPERATOR', 'an operator');
  return { field, operator, values: parseOperands(reader, operator) };
}

function parseOperands(reader: Reader, operator: Operator): Literal[] {
  switch (OPERANDS[operator]) {
    case 'none':
      return [];
    case 'value':
      return [reader.value()];
    case 'pair': {
      const low = reader.value();
      reader.expect('EXPECTED_VALUE_WITH_BETWEEN_OPERATOR', 'AND');
      return [low, reader.value()];
    }
    case 'list': {
      reader.expect('EXPECTED_LIST', '(');
      if (reader.take(')'))
        throw queryError('PROHIBITED_EMPTY_LIST_IN_CONDITION', 'The list must not be empty.');
      const values = reader.list(() => reader.value());
      reader.expect('EXPECTED_LIST', ')');
      return values;
    }
  }
}

function parseOrder(reader: Reader): Query['orderBy'] {
  reader.expect('EXPECTED_BY', 'BY');
  return reader.list(() => {
    const field = reader.name('BAD_FIELD_NAME');
    const isDescending = reader.take('DESC');
    if (!isDescending) reader.take('ASC');
    return { field, isDescending };
  });
}

function parseLimit(reader: Reader): number {
  const { text } = reader.value();
  if (!/^-?\d+$/.test(text)) throw queryError('BAD_LIMIT_VALUE', 'LIMIT must be a whole number.');
  const limit = Number(text);
  if (limit < 1) throw queryError('LIMIT_VALUE_TOO_LOW', 'LIMIT must be at least 1.');
  return limit;
}

function parseParameters(reader: Reader): Record<string, string> {
  const pairs = reader.list((): [string, string] => {
    const name = reader.name('BAD_PARAMETER_NAME');
    reader.expect('BAD_PARAMETER_VALUE', '=');
    return [name, reader.value().text.toLowerCase()];
  });
  for (const [name, value] of pairs) {
    if (name !== 'include_drafts' && name !== 'omit_unselected_resource_names') {
      throw queryError('BAD_PARAMETER_NAME', `Unknown parameter ${name}.`);
    }
    if (value !== 'true' && value !== 'false') {
      throw queryError('BAD_PARAMETER_VALUE', `Parameter ${name} must be true or false.`);
    }
  }
  return Object.fromEntries(pairs);
}
