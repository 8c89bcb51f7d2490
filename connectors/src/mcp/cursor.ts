import { ConnectorAuthError, parseUntrustedJson, stringifyJson, validate } from '@connector-auth/api';
import { z } from 'zod';
import type { Place } from './fit.ts';

/** Where a tool continues: the params of a page, and the place in it. */
export interface Position extends Place {
  readonly params: Readonly<Record<string, unknown>>;
}

const positionSchema = z.strictObject({
  params: z.record(z.string(), z.unknown()),
  skip: z.int().min(0),
  rest: z.array(
    z.strictObject({ path: z.array(z.union([z.string(), z.int().min(0)])).max(100), from: z.int().min(0) }),
  ),
});

/** Contains only what the caller sent, so it is neither secret nor signed. */
export function writeCursor(position: Position): string {
  return Buffer.from(stringifyJson(position)).toString('base64url');
}

/** @throws ConnectorAuthError `invalid_params`. */
export function readCursor(cursor: string): Position {
  const parsed = validate(positionSchema, decode(cursor));
  if (parsed.ok) return parsed.value;
  throw ConnectorAuthError.invalid('invalid_params', [
    { path: 'cursor', message: 'Invalid cursor: send the next_cursor of the previous result' },
  ]);
}

function decode(cursor: string): unknown {
  try {
    return parseUntrustedJson(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
