import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringifyJson } from '@connector-auth/api';
import type { Response } from 'express';

const nextCursorHeader = 'X-Next-Cursor';

/** A page of a list. */
export interface Page {
  readonly data: readonly unknown[];
  readonly meta: { readonly cursor: string | null };
}

const chunkLength = 64 * 1024;

/**
 * Sends a page as NDJSON, one item per line, with its cursor in a header. Serializes the items only as fast as the
 * caller reads them.
 */
export async function sendLines({ data, meta }: Page, response: Response): Promise<void> {
  response.set('Content-Type', 'application/x-ndjson; charset=utf-8');
  if (meta.cursor !== null) response.set(nextCursorHeader, meta.cursor);
  // Fails only if the caller has disconnected.
  await pipeline(Readable.from(linesOf(data)), response).catch(() => response.destroy());
}

function* linesOf(items: readonly unknown[]): Generator<string> {
  let chunk = '';
  for (const item of items) {
    chunk += `${stringifyJson(item)}\n`;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
