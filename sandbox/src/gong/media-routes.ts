import { Router } from 'express';
import { GONG_ACCOUNTS, type GongAccount } from './accounts.ts';
import type { Call } from './calls.ts';
import type { GongCompany } from './company.ts';
import { mediaSignature } from './extensive.ts';

/** Serves silent recordings at signed URLs, without credentials. */
export function mediaRoutes(companyOf: (account: GongAccount) => GongCompany): Router {
  const router = Router();
  const findSigned = (id: string, signature: unknown): Call | undefined =>
    GONG_ACCOUNTS.map(account => companyOf(account).findCall(id)).find(
      call => call !== undefined && mediaSignature(call) === signature,
    );

  router.get('/a/:id.mp3', (request, response, next) => {
    const call = findSigned(request.params.id, request.query['sig']);
    if (!call) return next();
    response.type('audio/mpeg').send(silentMp3(call.wire.duration));
  });
  router.get('/v/:id.mp4', (request, response, next) => {
    const call = findSigned(request.params.id, request.query['sig']);
    if (call?.wire.media !== 'Video') return next();
    response.type('video/mp4').send(emptyMp4());
  });
  router.use((_request, response) => {
    response.status(403).type('application/xml').send('<Error><Code>AccessDenied</Code></Error>');
  });
  return router;
}

/**
 * Creates an MP3 file with one frame per second of the call, up to 1,000 (MPEG-1 layer III, 128 kbit/s, 44.1
 * kHz: 417 bytes per frame).
 */
function silentMp3(seconds: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat(Array.from({ length: Math.min(seconds, 1000) }, () => frame));
}

/** Creates a valid MP4 file without content: a file type box and an empty media box. */
function emptyMp4(): Buffer {
  return Buffer.from('\0\0\0\x14ftypisom\0\0\x02\0isom\0\0\0\x08mdat', 'latin1');
}
