import type { Response } from 'express';

/** An answer as data, so that the same one can be sent, checked in a test, or made by a fault. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, null as an empty body, anything else as JSON. */
  readonly body: unknown;
}

/** Sends a reply. */
export function sendReply(response: Response, { status, headers = {}, body }: Reply): void {
  response.status(status).set(headers);
  if (body === null || body === undefined) response.end();
  else if (typeof body === 'string') response.send(body);
  else response.json(body);
}
