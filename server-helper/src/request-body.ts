import { ConnectorAuthError } from '@connector-auth/api';
import type { PageRequest } from './page.ts';

/** The service's own limit. */
const maxBodyBytes = 1024 * 1024;

/**
 * Reads the whole request body, so that it can be sent again after a 401.
 * @throws ConnectorAuthError `body_too_large`, `aborted` if the browser disconnects, or `internal_error` if a
 * body parser has already read it.
 */
export async function readBody(request: PageRequest): Promise<Buffer> {
  // The original bytes are then lost, and JSON parsing has rounded long ids.
  if (request.bodyUsed) {
    throw new ConnectorAuthError(
      'internal_error',
      'The request body has already been parsed: mount connectorAuth() before express.json() and other body parsers',
    );
  }
  if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.length;
      if (size > maxBodyBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ConnectorAuthError) throw error;
    throw new ConnectorAuthError('aborted', 'The browser disconnected while it sent the request', {
      cause: error,
    });
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(): ConnectorAuthError {
  return new ConnectorAuthError('body_too_large', 'The request body exceeds 1 MiB');
}
