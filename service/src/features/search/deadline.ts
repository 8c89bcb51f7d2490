import { sql } from 'kysely';
import type { Sql } from './condition.ts';

/** The error code of a statement that exceeded its deadline: division by zero. */
export const deadlineErrorCode = '22012';

/**
 * Returns an SQL condition that is true until a statement has run for `deadlineMs`, and then fails the
 * statement. PGlite cannot cancel a statement, but a statement that evaluates this condition often enough
 * ends soon after its deadline.
 */
export function deadlineCondition(deadlineMs: number): Sql {
  const interval = sql.raw(`interval '${Math.ceil(deadlineMs)} milliseconds'`);
  // A division whose divisor is volatile, because PostgreSQL would evaluate a constant one when it plans. With
  // `is not null`, PostgreSQL expects it to be true for almost all rows, and can use an index for the order.
  return sql`1 / (case when clock_timestamp() > statement_timestamp() + ${interval} then 0 else 1 end) is not null`;
}
