import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from '../simulator/clock.ts';
import { sendReply, type Reply } from '../simulator/reply.ts';

/** The codes that the simulator returns. */
export const CODES = {
  noPermission: 40001,
  badParameter: 40002,
  badVersion: 40006,
  notExisting: 40007,
  notSimulated: 40008,
  tooLarge: 40067,
  rateLimited: 40100,
  badApp: 40101,
  noToken: 40104,
  badToken: 40105,
  badAuthCode: 40110,
  pathLimited: 40133,
  systemError: 50000,
} as const;

/** An API error: TikTok returns every error as HTTP 200 with a code. */
export class TikTokError extends Error {
  override readonly name = 'TikTokError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Creates the error for a missing or invalid parameter. */
export function badParameter(message: string): TikTokError {
  return new TikTokError(CODES.badParameter, message);
}

/** Returns a generator of request ids, which consist of the time and a counter. */
export function createRequestIds(clock: Pick<Clock, 'now'>): () => string {
  let last = 0;
  return () => {
    const time = new Date(clock.now()).toISOString().replace(/\D/g, '').slice(0, 14);
    return `${time}0101890492231E${(++last).toString(16).toUpperCase().padStart(6, '0')}`;
  };
}

/** Wraps a response in TikTok's envelope. */
export function envelope(code: number, message: string, data: unknown, requestId: string): Reply {
  return { status: 200, body: { code, message, request_id: requestId, data } };
}

/** Wraps an endpoint. Its result becomes `data`; a `TikTokError` becomes a code. */
export function endpoint(
  requestId: () => string,
  run: (request: Request, response: Response) => unknown,
): RequestHandler {
  return (request, response) => {
    try {
      sendReply(response, envelope(0, 'OK', run(request, response), requestId()));
    } catch (error) {
      if (!(error instanceof TikTokError)) throw error;
      sendReply(response, envelope(error.code, error.message, {}, requestId()));
    }
  };
}
