import { createHmac } from 'node:crypto';

/**
 * Encodes a position as an opaque, signed cursor. The cursor is valid only with the same `boundTo`, which
 * contains what must not change between pages (account, filters).
 */
export function sealCursor(position: Readonly<Record<string, string | number>>, boundTo: unknown): string {
  const payload = Buffer.from(JSON.stringify(position)).toString('base64url');
  return Buffer.from(`${payload}.${sign(payload, boundTo)}`).toString('base64url');
}

/** Decodes a cursor; returns undefined if it is invalid or was issued for another request. */
export function openCursor(cursor: string, boundTo: unknown): Record<string, string | number> | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [payload, signature] = text.split('.');
  if (payload === undefined || signature !== sign(payload, boundTo)) return undefined;
  // The signature guarantees that `sealCursor` wrote this payload.
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, string | number>;
}

function sign(payload: string, boundTo: unknown): string {
  const mac = createHmac('sha256', 'connector-auth sandbox cursor');
  return mac
    .update(`${payload}\0${JSON.stringify(boundTo)}`)
    .digest('base64url')
    .slice(0, 16);
}
