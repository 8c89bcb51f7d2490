import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from '../simulator/clock.ts';
import { sendReply, type Reply } from '../simulator/reply.ts';

/** The vendor's codes that the simulator answers by itself. */
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
  badGrantType: 40108,
  badAuthCode: 40110,
  pathLimited: 40133,
  systemError: 50000,
} as const;

/** An answer other than OK: HTTP 200 with this code, as the vendor answers every error. */
export class TikTokError extends Error {
  override readonly name = 'TikTokError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A parameter that is missing or wrong. */
export function badParameter(message: string): TikTokError {
  return new TikTokError(CODES.badParameter, message);
}

/** Makes the vendor's request ids: the time, then a number that counts on. */
export function createRequestIds(clock: Pick<Clock, 'now'>): () => string {
  let last = 0;
  return () => {
    const time = new Date(clock.now()).toISOString().replace(/\D/g, '').slice(0, 14);
    return `${time}0101890492231E${(++last).toString(16).toUpperCase().padStart(6, '0')}`;
  };
}

/** The envelope every answer comes in. */
export function envelope(code: number, message: string, data: unknown, requestId: string): Reply {
  return { status: 200, body: { code, message, request_id: requestId, data } };
}

/** Runs an endpoint; what it gives becomes `data`, a `TikTokError` becomes its code. */
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
