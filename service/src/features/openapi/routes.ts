import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { stringifyJson } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import { Router } from 'express';
import { packageVersion } from '../../shared/http/openapi.ts';
import { describeService } from './document.ts';

/**
 * Serves the contract as an OpenAPI document, and allows pages from any origin to read it. The document is made
 * at the first request.
 */
export function mountOpenApi(publicUrl: string, kinds: readonly Kind[]): Router {
  const router = Router();
  let made: Served | null = null;
  router.get('/openapi.json', (request, response) => {
    made ??= serve(stringifyJson(describeService(publicUrl, packageVersion(), kinds)));
    response.locals.route = '/openapi.json';
    response.set({
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'public, max-age=300',
      ETag: made.etag,
      Vary: 'Accept-Encoding',
    });
    response.type('application/json');
    if (request.fresh) return void response.status(304).end();
    const encoding = (['br', 'gzip'] as const).find(name => request.acceptsEncodings(name));
    if (encoding === undefined) return void response.send(made.text);
    response.set('Content-Encoding', encoding).end(made[encoding]);
  });
  return router;
}

/** A text in the encodings in which it is sent. */
interface Served {
  readonly text: string;
  readonly br: Buffer;
  readonly gzip: Buffer;
  readonly etag: string;
}

function serve(text: string): Served {
  return {
    text,
    // The highest quality takes ten times as long and saves an eighth.
    br: brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    gzip: gzipSync(text),
    etag: `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
  };
}
