import type { Response } from 'express';

/** A response as data. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as is, null as an empty body, anything else as JSON. */
  readonly body: unknown;
}

/** Sends a reply. */
export function sendReply(response: Response, { status, headers = {}, body }: Reply): void {
  response.status(status).set(headers);
  if (body === null || body === undefined) response.end();
  else if (typeof body === 'string') response.send(body);
  else response.json(body);
}
