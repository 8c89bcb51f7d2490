import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@connector-auth/api';
import { Router } from 'express';
import type { Key, KeyRing } from '../../platform/crypto/key-ring.ts';

/** The path at which a service reports how a request reached it. */
export const forwardingPath = '/healthz/forwarding';
/** The header that proves that the caller has one of the signing keys. */
export const forwardingCheckHeader = 'connector-auth-check';

/** How a request reached the service. */
export interface Forwarding {
  /** The entries of `X-Forwarded-For`, to which every proxy adds one. */
  readonly forwarded_for: readonly string[];
  /** The client address that the service counts requests by. */
  readonly client_address: string;
}

const maxAgeMs = 60_000;

/**
 * Mounts the probe with which `doctor` finds out how many proxies are in front of the service. It exists only
 * for callers that have a signing key, because the addresses of proxies are not public.
 */
export function mountForwardingProbe(keys: KeyRing, clock: Pick<Clock, 'now'>): Router {
  const router = Router();
  router.get(forwardingPath, (request, response, next) => {
    if (!isSigned(request.get(forwardingCheckHeader) ?? '', keys, clock.now())) return next();
    response.locals.route = forwardingPath;
    const header = request.get('x-forwarded-for') ?? '';
    const forwarding: Forwarding = {
      forwarded_for: header.split(',').flatMap(entry => (entry.trim() === '' ? [] : [entry.trim()])),
      client_address: request.ip ?? '',
    };
    response.set('Cache-Control', 'no-store').json(forwarding);
  });
  return router;
}

/** Returns the value of the header for a request at this time. */
export function signForwardingCheck([key]: KeyRing, nowMs: number): string {
  return `${nowMs}.${signatureOf(key, nowMs).toString('hex')}`;
}

function isSigned(header: string, keys: KeyRing, nowMs: number): boolean {
  const [, time = '', hex = ''] = /^(\d{1,15})\.([\da-f]{64})$/.exec(header) ?? [];
  if (time === '' || Math.abs(nowMs - Number(time)) > maxAgeMs) return false;
  const given = Buffer.from(hex, 'hex');
  return keys.some(key => timingSafeEqual(signatureOf(key, Number(time)), given));
}

function signatureOf({ secret }: Key, timeMs: number): Buffer {
  const purpose = 'connector-auth/forwarding-check';
  const key = Buffer.from(hkdfSync('sha256', secret.reveal(), '', purpose, 32));
  return createHmac('sha256', key).update(String(timeMs)).digest();
}
