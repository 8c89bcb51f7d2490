import { pino, type DestinationStream } from 'pino';
import { writeTogether } from './write-together.ts';

/** Selected fields for a log line. Never log a whole request, configuration or record. */
export type LogFields = Readonly<Record<string, unknown>>;

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * A structured log. Each line is a JSON object with an event name (`connector_created`) and selected fields.
 */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** Returns a log that adds these fields to every line, e.g. `{ request_id }`. */
  with(fields: LogFields): Log;
}

/**
 * Creates a log that writes to standard output by default.
 *
 * As a second line of defence, the log redacts fields with secret names, and query strings and passwords in
 * URLs. For errors, it writes only the type, code, message, stack and causes.
 */
export function createLog(options: { level?: LogLevel; destination?: DestinationStream } = {}): Log {
  const logger = pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'event',
      formatters: {
        level: label => ({ level: label }),
      },
    },
    options.destination ?? writeTogether(pino.destination({ dest: 1, sync: true })),
  );
  return wrap(logger);
}

/** A log that discards all lines. */
export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  with: () => silentLog,
};

function wrap(logger: pino.Logger): Log {
  return {
    debug: (event, fields) => logger.debug(redact(fields), event),
    info: (event, fields) => logger.info(redact(fields), event),
    warn: (event, fields) => logger.warn(redact(fields), event),
    error: (event, fields) => logger.error(redact(fields), event),
    with: fields => wrap(logger.child(redact(fields))),
  };
}

const secretName =
  /secret|passwo?r?d|authorization|cookie|credential|verifier|(?:api|access|private)_?key|token$|^(?:auth_?)?code$|^state$/i;
const maxDepth = 4;

/** The names of most lines are the same few. */
const knownNames = new Map<string, boolean>();
const maxKnownNames = 1000;

function isSecretName(name: string): boolean {
  let isSecret = knownNames.get(name);
  if (isSecret === undefined) {
    isSecret = secretName.test(name);
    if (knownNames.size < maxKnownNames) knownNames.set(name, isSecret);
  }
  return isSecret;
}

function redact(fields: LogFields = {}): Record<string, unknown> {
  return redactObject(fields, 0);
}

function redactObject(fields: object, depth: number): Record<string, unknown> {
  const redacted: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = (fields as LogFields)[name];
    const isSecret = value !== null && value !== undefined && isSecretName(name);
    redacted[name] = isSecret ? '[redacted]' : redactValue(value, depth);
  }
  return redacted;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return describeError(value, depth);
  if (value instanceof Date) return value;
  if (depth >= maxDepth) return '[deeper]';
  if (Array.isArray(value)) return value.map(item => redactValue(item, depth + 1));
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if ('toJSON' in value && typeof value.toJSON === 'function') return redactValue(value.toJSON(), depth + 1);
  return redactObject(value, depth + 1);
}

function describeError(error: Error, depth: number): Record<string, unknown> {
  return {
    type: error.name,
    ...('code' in error ? { code: error.code } : {}),
    ...('constraint' in error ? { constraint: error.constraint } : {}),
    message: redactText(error.message),
    stack: redactText(error.stack ?? ''),
    ...(error.cause === undefined || depth >= maxDepth ? {} : { cause: redactValue(error.cause, depth + 1) }),
  };
}

/** Longer strings are truncated, because a vendor error may contain an entire page. */
const maxTextLength = 4096;

/** Redacts query strings and passwords of URLs in a string, and truncates a long string. */
export function redactText(text: string): string {
  const beginning = text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}…`;
  // Most texts are ids and names.
  if (!beginning.includes('://') && !beginning.includes('?')) return beginning;
  return (
    beginning
      // Truncation may have removed the @ that ends a password.
      .replaceAll(/(:\/\/)[^\s/@'"]*(?:@|…$)/g, '$1[redacted]@')
      .replaceAll(/((?::\/\/|^\/)[^\s?'"]*)\?[^\s'"]*/g, '$1?[redacted]')
  );
}
