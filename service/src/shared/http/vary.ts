import type { HttpResponse } from './locals.ts';

/** Adds names of request headers to the `Vary` header. */
export function vary(response: HttpResponse, names: string): void {
  const before = response.getHeader('Vary');
  response.setHeader('Vary', before === undefined ? names : `${String(before)}, ${names}`);
}
