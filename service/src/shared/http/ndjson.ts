import { stringifyJson } from '@connector-auth/api';

export const ndjson = 'application/x-ndjson';
/** Response header with the cursor of a page that is sent as NDJSON. */
export const nextCursorHeader = 'X-Next-Cursor';

/** A page of a list. */
export interface Page {
  readonly data: readonly unknown[];
  readonly meta: { readonly cursor: string | null };
}

/** Returns the items of a page as NDJSON, one per line. */
export function toLines({ data }: Page): string {
  return data.map(item => `${stringifyJson(item)}\n`).join('');
}
