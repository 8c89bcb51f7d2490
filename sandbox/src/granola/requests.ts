/** An API error in Granola's format. */
export class GranolaError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Creates the error for an invalid parameter. */
export function badRequest(message: string): GranolaError {
  return new GranolaError(400, 'BAD_REQUEST', message);
}

/** A parsed query string. */
export type Query = Readonly<Record<string, unknown>>;

/** Reads a parameter; throws a `GranolaError` if it is given more than once. */
export function readText(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw badRequest(`${name} must be given once`);
}

/** Reads `page_size`, an integer from 1 to `max`. */
export function readPageSize(query: Query, max: number, byDefault: number): number {
  const text = readText(query, 'page_size');
  if (text === undefined) return byDefault;
  const size = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (size < 1 || size > max) throw badRequest(`page_size must be between 1 and ${max}`);
  return size;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Parses a date or date-time. Converts a date to its first second in UTC, and sets `isDate`. */
export function readTime(query: Query, name: string): { ms: number; isDate: boolean } | undefined {
  const text = readText(query, name);
  if (text === undefined) return undefined;
  const isDate = DATE.test(text);
  const ms = isDate || DATE_TIME.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse reads 30 February as 1 or 2 March; the vendor is assumed to reject it.
  const isReal = !Number.isNaN(ms) && isCalendarDay(text.slice(0, 10));
  if (!isReal) throw badRequest(`${name} must be a date (YYYY-MM-DD) or an RFC 3339 date-time`);
  return { ms: Math.floor(ms / 1000) * 1000, isDate };
}

function isCalendarDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
