import { ConnectorAuthError } from '@connector-auth/api';
import type { Request } from 'express';

/** The service's own limit. */
const maxBodyBytes = 1024 * 1024;

/**
 * Reads the whole request body, so that it can be sent again after a 401.
 * @throws ConnectorAuthError `body_too_large`, or `internal_error` if a body parser has already read it,
 * because the original bytes are then lost and JSON parsing has rounded long ids.
 */
export async function readBody(request: Request): Promise<Buffer> {
  // Express types the body as any.
  const parsed: unknown = request.body;
  if (parsed !== undefined || request.readableDidRead) {
    throw new ConnectorAuthError(
      'internal_error',
      'The request body has already been parsed: mount connectorAuth() before express.json() and other body parsers',
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  // Destroying the request would close the connection before the response is sent.
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
