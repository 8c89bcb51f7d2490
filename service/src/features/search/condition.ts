import { sql, type RawBuilder } from 'kysely';
import { textCollation, type RecordTable } from '../../shared/records/record-table.ts';
import { compareDay, dayOf, type DaySign } from './day.ts';
import type { Comparison, Filter } from './filter.ts';
import type { OperandType, Scalar } from './operand.ts';
import type { Target } from './target.ts';

/** An SQL fragment with its parameters. */
export type Sql = RawBuilder<unknown>;

/** The alias of the record table in every query. */
export const rows = 'r';

/**
 * Converts a filter to an SQL condition. Column names come from the connector kind and are quoted; all other
 * values become parameters.
 *
 * A comparison with null is false, not unknown. SQL treats unknown like false until it is negated, so
 * negations are pushed down to the comparisons. The conditions above them can then use indexes.
 * @param deadline a condition that is true, or fails the statement after its time limit. It is evaluated
 * before each comparison that can take long.
 */
export function conditionOf(filter: Filter, table: RecordTable, deadline: Sql | null): Sql {
  return new ConditionWriter(table, deadline).write(filter, false, 0);
}

class ConditionWriter {
  readonly #table: RecordTable;
  readonly #deadline: Sql | null;

  constructor(table: RecordTable, deadline: Sql | null) {
    this.#table = table;
    this.#deadline = deadline;
  }

  /**
   * @param level number of `any` operators around the node. It determines the alias of the array element at
   * which paths start.
   */
  write(filter: Filter, isNegated: boolean, level: number): Sql {
    if (filter.op === 'not') return this.write(filter.node, !isNegated, level);
    if ('nodes' in filter) {
      const nodes = filter.nodes.map(node => this.write(node, isNegated, level));
      const isAnd = (filter.op === 'and') !== isNegated;
      return sql`(${sql.join(nodes, isAnd ? sql` and ` : sql` or `)})`;
    }
    if (filter.op === 'any') {
      const elements = elementsOf(filter.target, level);
      const condition = sql`exists (select from ${elements} where ${this.write(filter.node, false, level + 1)})`;
      return this.#inTime(isNegated ? sql`not ${condition}` : condition);
    }
    const comparison = this.#writeComparison(filter, isNegated, level);
    return this.#canTakeLong(filter) ? this.#inTime(comparison) : comparison;
  }

  #inTime(condition: Sql): Sql {
    return this.#deadline === null ? condition : sql`(${this.#deadline} and ${condition})`;
  }

  /** Returns whether a value can be large. Comparisons that an index can serve must stay as they are. */
  #canTakeLong({ op, target, operand }: Comparison): boolean {
    if (target.type === 'json' || target.type === 'array' || target.type === 'object') return true;
    if (target.type !== 'string' || target.column?.isIndexed === true) return false;
    const isIndexedText = this.#table.text?.fields.includes(target.column?.field ?? '') === true;
    if (operand.kind === 'patterns') return !isIndexedText;
    return operand.kind === 'day' || (op !== 'eq' && op !== 'neq');
  }

  #writeComparison(comparison: Comparison, isNegated: boolean, level: number): Sql {
    const { op, target, operand } = comparison;
    if (op === 'eq' || op === 'neq') {
      const isUnequal = (op === 'eq') === isNegated;
      const value = expressionOf(target, level);
      if (operand.kind === 'null') return isUnequal ? sql`${value} is not null` : sql`${value} is null`;
      if (operand.kind === 'day') {
        const isOnDay = sql`(${compareDay(value, '=', operand.day)})`;
        return isUnequal ? sql`${isOnDay} is not true` : isOnDay;
      }
      const wanted = single(comparison);
      return isUnequal ? sql`${value} is distinct from ${wanted}` : sql`${value} = ${wanted}`;
    }
    const condition = this.#writeTrue(comparison, level);
    return isNegated ? sql`(${condition}) is not true` : condition;
  }

  /** Writes a condition that is false or null for rows that do not match. */
  #writeTrue(comparison: Comparison, level: number): Sql {
    const { op, target, operand } = comparison;
    if (operand.kind === 'patterns') return this.#writePatterns(target, operand.patterns, level);
    const value = expressionOf(target, level);
    if (operand.kind === 'list') {
      const values = sql`${operand.values.map(String)}::${sql.raw(sqlTypes[operand.type])}[]`;
      const isAmong = sql`${value} = any(${values})`;
      return operand.days.length === 0
        ? isAmong
        : sql`(${isAmong} or ${dayOf(value)} = any(${operand.days}::text[]))`;
    }
    if (op === 'contains') {
      const elements = elementsOf(target, level);
      return sql`exists (select from ${elements} where ${elementAt(level + 1)} = ${single(comparison)})`;
    }
    const comparator = signs[op] ?? '=';
    if (operand.kind === 'day') return sql`(${compareDay(value, comparator, operand.day)})`;
    const sign = sql.raw(comparator);
    if (target.type !== 'json') return sql`${value} ${sign} ${single(comparison)}`;
    return operand.kind === 'value' && operand.type === 'string'
      ? sql`${jsonText(value)} ${sign} ${single(comparison)}`
      : sql`${jsonNumber(value)} ${sign} ${single(comparison)}`;
  }

  #writePatterns(target: Target, patterns: readonly string[], level: number): Sql {
    const expression = expressionOf(target, level);
    const text =
      target.type === 'string'
        ? expression
        : target.type === 'json'
          ? jsonText(expression)
          : sql`${expression}::text collate ${sql.id(textCollation)}`;
    const likes = patterns.map(pattern => {
      const like = sql`lower(${text}) like ${lowered(pattern)}`;
      const indexed = this.#textIndexOf(target);
      return indexed === null ? like : sql`(${like} and ${indexed} like ${lowered(`%${pattern}%`)})`;
    });
    return likes.length === 1 ? sql`${likes[0]}` : sql`(${sql.join(likes, sql` or `)})`;
  }

  /**
   * Returns the trigram-indexed expression if the index covers several fields, because a match in one field
   * is also a match in the combined text.
   */
  #textIndexOf({ column, steps }: Target): Sql | null {
    const { text } = this.#table;
    if (text === null || text.fields.length === 1 || column === null || steps.length > 0) return null;
    return text.fields.includes(column.field) ? sql.raw(text.expression) : null;
  }
}

/**
 * Returns the SQL expression for a target: a column, or `jsonb` for a nested value. Maps JSON null to SQL
 * null.
 */
export function expressionOf({ column, steps }: Target, level = 0): Sql {
  const start = column === null ? elementAt(level) : columnOf(column.column);
  if (column !== null && steps.length === 0) return start;
  // The operator `->` with a text key returns null for anything but an object.
  const place = [start, ...steps.map(step => sql`${step}::text`)];
  return sql`nullif(${sql.join(place, sql` -> `)}, 'null'::jsonb)`;
}

export function columnOf(column: string): Sql {
  return sql.id(rows, column);
}

/** Casts a JSON number to `numeric`. Other JSON values become null. */
export function jsonNumber(json: Sql): Sql {
  return sql`case when jsonb_typeof(${json}) = 'number' then (${json} #>> '{}')::numeric end`;
}

/** Casts a JSON string to `text`. Other JSON values become null. */
export function jsonText(json: Sql): Sql {
  return sql`case when jsonb_typeof(${json}) = 'string' then (${json} #>> '{}') collate ${sql.id(textCollation)} end`;
}

export function parameter(type: OperandType, value: Scalar): Sql {
  return sql`${typeof value === 'bigint' ? value.toString() : value}::${sql.raw(sqlTypes[type])}`;
}

const sqlTypes: Readonly<Record<OperandType, string>> = {
  string: 'text',
  integer: 'bigint',
  number: 'double precision',
  boolean: 'boolean',
  decimal: 'numeric',
  json: 'jsonb',
};

const signs: Readonly<Partial<Record<Comparison['op'], DaySign>>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

function single({ operand }: Comparison): Sql {
  if (operand.kind !== 'value') throw new Error('Expected a single value, got a list or pattern');
  return parameter(operand.type, operand.value);
}

function lowered(pattern: string): Sql {
  return sql`lower(${pattern}::text collate ${sql.id(textCollation)})`;
}

function elementAt(level: number): Sql {
  return sql.id(`$element${level}`, 'value');
}

/** Expands a JSON array into rows, one nesting level deeper. Other JSON values produce no rows. */
function elementsOf(target: Target, level: number): Sql {
  const json = expressionOf(target, level);
  const array = sql`case when jsonb_typeof(${json}) = 'array' then ${json} end`;
  return sql`jsonb_array_elements(${array}) as ${sql.id(`$element${level + 1}`)}(value)`;
}
