import { once } from 'node:events';
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
 * @param signal aborts if the caller disconnects.
 */
export async function sendLines(
  { data, meta }: Page,
  response: Response,
  signal: AbortSignal,
): Promise<void> {
  response.set('Content-Type', 'application/x-ndjson; charset=utf-8');
  if (meta.cursor !== null) response.set(nextCursorHeader, meta.cursor);
  for (const chunk of linesOf(data)) {
    if (!response.write(chunk)) await once(response, 'drain', { signal }).catch(() => {});
    if (signal.aborted) return;
  }
  response.end();
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
