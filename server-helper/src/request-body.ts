import { ConnectorAuthError } from '@connector-auth/api';
import type { Request } from 'express';

/** The largest body that is passed on: what the service takes. */
const maxBodyBytes = 1024 * 1024;

/**
 * The bytes of a request's body, kept whole so that they can be sent again after a 401.
 * @throws ConnectorAuthError `body_too_large`, or `internal_error` when a body parser was here before: what it read cannot
 * be written again as it was, since long ids lost their digits.
 */
export async function readBody(request: Request): Promise<Buffer> {
  // Express types it as any.
  const parsed: unknown = request.body;
  if (parsed !== undefined || request.readableDidRead) {
    throw new ConnectorAuthError(
      'internal_error',
      'The request body is already parsed: mount connectorAuth() before express.json() and other body parsers',
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  // Destroying the request would close the connection before it could be answered.
  const incoming: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > maxBodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(): ConnectorAuthError {
  return new ConnectorAuthError('body_too_large', 'The request body exceeds 1 MiB');
}
