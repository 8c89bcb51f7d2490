import type { IncomingMessage } from 'node:http';
import { ConnectorAuthError, parseJson } from '@connector-auth/api';

/** The largest request body, in KiB: of who showed a token, and of anybody. */
export const maxBodyKiB = { withToken: 1024, withoutToken: 8 } as const;
/** The deepest nesting of a request body. A search's filter may take half of it; what is wrong with a deeper one, search says. */
const maxNesting = 128;
/** More than the largest body holds of a vendor's ids. Each may become a fault, which costs far more than a value. */
const maxValues = 100_000;

/**
 * Reads a request's JSON body without loss (integers beyond the safe range are `bigint`); undefined when there is none.
 * @param maxKiB more is refused, unread where its length is told.
 * @throws ConnectorAuthError `body_too_large`, `media_type_not_supported`, or `malformed_request` for what is not JSON in UTF-8.
 */
export async function readJsonBody(request: IncomingMessage, maxKiB: number): Promise<unknown> {
  if (!mayHaveBody(request)) return undefined;
  if (Number(request.headers['content-length'] ?? 0) > maxKiB * 1024) throw tooLarge(maxKiB);
  const bytes = await readBytes(request, maxKiB);
  if (bytes.length === 0) return undefined;
  requireJson(request);
  const value = parse(bytes);
  const fault = findStructureError(value);
  if (fault !== null) throw new ConnectorAuthError('malformed_request', fault);
  return value;
}

function mayHaveBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function tooLarge(maxKiB: number): ConnectorAuthError {
  const size = maxKiB < 1024 ? `${maxKiB} KiB` : `${maxKiB / 1024} MiB`;
  return new ConnectorAuthError('body_too_large', `Send at most ${size}`);
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

async function readBytes(request: IncomingMessage, maxKiB: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Leaving the loop must not end the connection: the refusal still has to get through.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxKiB * 1024) throw tooLarge(maxKiB);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof ConnectorAuthError) throw cause;
    throw new ConnectorAuthError('aborted', 'The caller left before the body was sent', { cause });
  }
  return Buffer.concat(chunks, size);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Buffer): unknown {
  try {
    return parseJson(utf8.decode(bytes));
  } catch {
    // The parser's own message quotes the text around the fault, which may be a credential.
    throw new ConnectorAuthError('malformed_request', 'The body is not well-formed JSON in UTF-8');
  }
}

function findStructureError(body: unknown): string | null {
  let values = 0;
  let hasPrototype = false;
  const isDeeper = (value: unknown, levels: number): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    if (levels === 0) return true;
    const members = Object.values(value);
    values += members.length;
    hasPrototype ||= Object.hasOwn(value, '__proto__');
    return members.some(member => isDeeper(member, levels - 1));
  };
  if (isDeeper(body, maxNesting)) return `The body is nested deeper than ${maxNesting} levels`;
  // Whoever copies the members of an object would lose it without a word.
  if (hasPrototype) return 'The body has a member called __proto__';
  return values > maxValues ? `The body has more than ${maxValues} values` : null;
}
