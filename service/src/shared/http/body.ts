import type { IncomingMessage } from 'node:http';
import { ConnectorAuthError, readUntrustedJson } from '@connector-auth/api';

/** Maximum size of a request body in KiB, for callers with and without a token. */
export const maxBodyKiB = { withToken: 1024, withoutToken: 8 } as const;

/**
 * Parses the JSON body of a request. Returns integers beyond the safe range as `bigint`, or undefined if the
 * request has no body.
 * @param maxKiB maximum body size. A larger body is rejected without being read if `Content-Length` is
 * present.
 * @throws ConnectorAuthError `body_too_large`, `media_type_not_supported`, or `malformed_request` if the body
 * is not valid UTF-8 or exceeds a limit of {@link readUntrustedJson}.
 */
export async function readJsonBody(request: IncomingMessage, maxKiB: number): Promise<unknown> {
  if (!mayHaveBody(request)) return undefined;
  if (Number(request.headers['content-length'] ?? 0) > maxKiB * 1024) throw tooLarge(maxKiB);
  const bytes = await readBytes(request, maxKiB);
  if (bytes.length === 0) return undefined;
  requireJson(request);
  return readUntrustedJson(decode(bytes));
}

function mayHaveBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function tooLarge(maxKiB: number): ConnectorAuthError {
  const size = maxKiB < 1024 ? `${maxKiB} KiB` : `${maxKiB / 1024} MiB`;
  return new ConnectorAuthError('body_too_large', `The request body must be at most ${size}`);
}

function requireJson({ headers }: IncomingMessage): void {
  const [mediaType = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map(text => text.trim()).find(text => text.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (mediaType.trim() !== 'application/json' || !isUtf8) {
    throw new ConnectorAuthError(
      'media_type_not_supported',
      'Send the body as Content-Type: application/json, in UTF-8',
    );
  }
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
    throw new ConnectorAuthError('media_type_not_supported', 'Send the body without Content-Encoding');
  }
}

function readBytes(request: IncomingMessage, maxKiB: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const read = (chunk: Buffer): void => {
      if (size > maxKiB * 1024) return;
      size += chunk.length;
      if (size <= maxKiB * 1024) return void chunks.push(chunk);
      // The connection must not be closed, because the error response has not been sent yet.
      request.pause();
      reject(tooLarge(maxKiB));
    };
    const end = (): void => {
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    };
    const fail = (cause?: unknown): void => {
      if (request.readableEnded) return;
      const message = 'The caller disconnected before the request body was complete';
      reject(new ConnectorAuthError('aborted', message, { cause }));
    };
    request.on('data', read).on('end', end).on('close', fail).on('error', fail);
    // The caller may have disconnected while the request was queued.
    if (request.destroyed) fail();
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ConnectorAuthError('malformed_request', 'The request body is not valid UTF-8');
  }
}
