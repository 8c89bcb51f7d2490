import { queryError } from './failure.ts';
import { tokenize, type Token } from './gaql-lexer.ts';

export type Operator =
  | '='
  | '!='
  | '>'
  | '>='
  | '<'
  | '<='
  | 'IN'
  | 'NOT IN'
  | 'LIKE'
  | 'NOT LIKE'
  | 'CONTAINS ANY'
  | 'CONTAINS ALL'
  | 'CONTAINS NONE'
  | 'IS NULL'
  | 'IS NOT NULL'
  | 'DURING'
  | 'BETWEEN'
  | 'REGEXP_MATCH'
  | 'NOT REGEXP_MATCH';

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
  const reader = createReader(tokenize(text));
  if (!reader.takeWord('SELECT')) throw queryError('EXPECTED_SELECT', 'Error in query: expected SELECT.');
  const select = reader.list(() => reader.name('field'));
  if (!reader.takeWord('FROM'))
    throw queryError('EXPECTED_FROM', `Error in query: expected FROM${reader.near()}.`);
  const from = reader.name('resource');
  const where = reader.takeWord('WHERE') ? parseWhere(reader) : [];
  const orderBy = reader.takeWord('ORDER') ? parseOrder(reader) : [];
  const limit = reader.takeWord('LIMIT') ? parseLimit(reader) : undefined;
  const parameters = reader.takeWord('PARAMETERS') ? parseParameters(reader) : {};
  if (reader.peek().kind !== 'end') {
    throw queryError('UNEXPECTED_INPUT', `Error in query: unexpected input${reader.near()}.`);
  }
  return { select, from, where, orderBy, limit, parameters };
}

interface Reader {
  peek(): Token;
  next(): Token;
  /** Consumes the next token if it is this keyword, ignoring case; returns whether it did. */
  takeWord(word: string): boolean;
  takeSymbol(symbol: string): boolean;
  name(what: 'field' | 'resource'): string;
  list<T>(read: () => T): T[];
  /** Describes the reader's position for an error message. */
  near(): string;
}

const KEYWORDS = new Set([
  'SELECT',
  'FROM',
  'WHERE',
  'ORDER',
  'BY',
  'LIMIT',
  'PARAMETERS',
  'AND',
  'ASC',
  'DESC',
]);

function createReader(tokens: readonly Token[]): Reader {
  let at = 0;
  const end: Token = { kind: 'end', text: '' };
  const peek = (): Token => tokens[at] ?? end;
  const take = (kind: Token['kind'], text: string): boolean => {
    const token = peek();
    const isIt = token.kind === kind && token.text.toUpperCase() === text;
    if (isIt) at += 1;
    return isIt;
  };
  const reader: Reader = {
    peek,
    next: () => {
      const token = peek();
      at += 1;
      return token;
    },
    takeWord: word => take('word', word),
    takeSymbol: symbol => take('symbol', symbol),
    name: what => {
      const { kind, text } = peek();
      if (kind === 'end')
        throw queryError('UNEXPECTED_END_OF_QUERY', 'Error in query: unexpected end of query.');
      if (kind !== 'word' || KEYWORDS.has(text.toUpperCase())) {
        throw what === 'field'
          ? queryError('BAD_FIELD_NAME', `Error in query: expected a field name${reader.near()}.`)
          : queryError(
              'BAD_RESOURCE_TYPE_IN_FROM_CLAUSE',
              `Error in query: expected a resource${reader.near()}.`,
            );
      }
      at += 1;
      return text;
    },
    list: read => {
      const items = [read()];
      while (take('symbol', ',')) items.push(read());
      return items;
    },
    near: () => (peek().kind === 'end' ? ' before the end' : ` near '${peek().text}'`),
  };
  return reader;
}

function parseWhere(reader: Reader): Condition[] {
  const conditions = [parseCondition(reader)];
  while (reader.takeWord('AND')) conditions.push(parseCondition(reader));
  if (reader.peek().text.toUpperCase() === 'OR') {
    throw queryError('EXPECTED_AND', "Error in query: expected AND near 'OR'.");
  }
  return conditions;
}

function parseCondition(reader: Reader): Condition {
  const field = reader.name('field');
  const operator = parseOperator(reader);
  switch (operator) {
    case 'IS NULL':
    case 'IS NOT NULL':
      return { field, operator, values: [] };
    case 'IN':
    case 'NOT IN':
    case 'CONTAINS ANY':
    case 'CONTAINS ALL':
    case 'CONTAINS NONE':
      return { field, operator, values: parseList(reader) };
    case 'BETWEEN': {
      const low = parseValue(reader);
      if (!reader.takeWord('AND')) {
        throw queryError('EXPECTED_VALUE_WITH_BETWEEN_OPERATOR', 'BETWEEN needs two values joined by AND.');
      }
      return { field, operator, values: [low, parseValue(reader)] };
    }
    case '=':
    case '!=':
    case '>':
    case '>=':
    case '<':
    case '<=':
    case 'LIKE':
    case 'NOT LIKE':
    case 'DURING':
    case 'REGEXP_MATCH':
    case 'NOT REGEXP_MATCH':
      return { field, operator, values: [parseValue(reader)] };
  }
}

const COMPARISONS = ['=', '!=', '>=', '<=', '>', '<'] as const;

function parseOperator(reader: Reader): Operator {
  for (const symbol of COMPARISONS) if (reader.takeSymbol(symbol)) return symbol;
  if (reader.takeWord('IS')) {
    const isNot = reader.takeWord('NOT');
    if (reader.takeWord('NULL')) return isNot ? 'IS NOT NULL' : 'IS NULL';
  } else if (reader.takeWord('NOT')) {
    for (const word of ['IN', 'LIKE', 'REGEXP_MATCH'] as const)
      if (reader.takeWord(word)) return `NOT ${word}`;
  } else if (reader.takeWord('CONTAINS')) {
    for (const word of ['ANY', 'ALL', 'NONE'] as const) if (reader.takeWord(word)) return `CONTAINS ${word}`;
  } else {
    for (const word of ['IN', 'LIKE', 'DURING', 'BETWEEN', 'REGEXP_MATCH'] as const) {
      if (reader.takeWord(word)) return word;
    }
  }
  throw queryError('BAD_OPERATOR', `Error in query: expected an operator${reader.near()}.`);
}

function parseList(reader: Reader): Literal[] {
  if (!reader.takeSymbol('('))
    throw queryError('EXPECTED_LIST', `Error in query: expected a list${reader.near()}.`);
  if (reader.takeSymbol(')'))
    throw queryError('PROHIBITED_EMPTY_LIST_IN_CONDITION', 'The list must not be empty.');
  const values = reader.list(() => parseValue(reader));
  if (!reader.takeSymbol(')'))
    throw queryError('EXPECTED_LIST', `Error in query: expected )${reader.near()}.`);
  return values;
}

function parseValue(reader: Reader): Literal {
  const { kind, text } = reader.peek();
  if (kind === 'end') throw queryError('UNEXPECTED_END_OF_QUERY', 'Error in query: unexpected end of query.');
  if (kind === 'symbol' && text === '(')
    throw queryError('EXPECTED_SINGLE_VALUE', 'Expected a single value.');
  if (kind === 'symbol') throw queryError('BAD_VALUE', `Error in query: expected a value near '${text}'.`);
  reader.next();
  return { kind, text };
}

function parseOrder(reader: Reader): Query['orderBy'] {
  if (!reader.takeWord('BY')) throw queryError('EXPECTED_BY', 'Error in query: expected BY after ORDER.');
  return reader.list(() => {
    const field = reader.name('field');
    const isDescending = reader.takeWord('DESC');
    if (!isDescending) reader.takeWord('ASC');
    return { field, isDescending };
  });
}

function parseLimit(reader: Reader): number {
  const { kind, text } = reader.next();
  if (kind !== 'number' || !/^-?\d+$/.test(text))
    throw queryError('BAD_LIMIT_VALUE', 'LIMIT must be a whole number.');
  const limit = Number(text);
  if (limit < 1) throw queryError('LIMIT_VALUE_TOO_LOW', 'LIMIT must be at least 1.');
  return limit;
}

function parseParameters(reader: Reader): Record<string, string> {
  const pairs = reader.list((): [string, string] => {
    const name = reader.name('field');
    if (!reader.takeSymbol('=')) throw queryError('BAD_PARAMETER_VALUE', `Parameter ${name} needs a value.`);
    return [name, reader.next().text.toLowerCase()];
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
