/** A request that is refused, in the vendor's words. */
export class GranolaError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The refusal of a malformed parameter. */
export function badRequest(message: string): GranolaError {
  return new GranolaError(400, 'BAD_REQUEST', message);
}

/** A query as Express gives it. */
export type Query = Readonly<Record<string, unknown>>;

/** A parameter given once; twice is refused. */
export function readText(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw badRequest(`${name} must be given once`);
}

/** A whole number between 1 and `max`. */
export function readPageSize(query: Query, max: number, byDefault: number): number {
  const text = readText(query, 'page_size');
  if (text === undefined) return byDefault;
  const size = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (size < 1 || size > max) throw badRequest(`page_size must be between 1 and ${max}`);
  return size;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** A moment; a bare date is its first second in UTC, and `isDate` tells that it was one. */
export function readMoment(query: Query, name: string): { ms: number; isDate: boolean } | undefined {
  const text = readText(query, name);
  if (text === undefined) return undefined;
  const isDate = DATE.test(text);
  const ms = isDate || DATE_TIME.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse takes 30 February for 1 or 2 March; the vendor is taken to refuse it.
  const isReal = !Number.isNaN(ms) && isCalendarDay(text.slice(0, 10));
  if (!isReal) throw badRequest(`${name} must be a date (YYYY-MM-DD) or an RFC 3339 date-time`);
  return { ms: Math.floor(ms / 1000) * 1000, isDate };
}

function isCalendarDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
