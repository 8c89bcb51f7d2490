import { randomUUID } from 'node:crypto';

const wellFormed = /^[A-Za-z0-9._:-]{1,128}$/;

/** Returns the caller's `X-Request-Id` if it is safe to log and echo, otherwise a new id. */
export function requestIdFrom(header: string | undefined): string {
  return header !== undefined && wellFormed.test(header) ? header : randomUUID();
}
