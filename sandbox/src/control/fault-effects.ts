import type { Request, Response } from 'express';
import { sendReply } from '../simulator/reply.ts';
import type { Dialect } from '../simulator/vendor.ts';
import type { Fault } from './faults.ts';

/** The request that a fault is injected into. */
export interface FaultTarget {
  readonly dialect: Dialect;
  readonly request: Request;
  readonly response: Response;
  /** Runs the simulator's own handler. Used by faults that delay or damage its response. */
  readonly handle: () => void;
}

export function injectFault(fault: Fault, { dialect, request, response, handle }: FaultTarget): void {
  const inject = (): void => {
    if (fault.hang) return;
    if (fault.closeConnection) return void request.socket.destroy();
    if (fault.html) return sendReply(response, gatewayPage(fault.status ?? 502));
    if (fault.status === 429) return sendReply(response, dialect.rateLimited(fault.retryAfter, request));
    if (fault.status !== undefined) {
      const reply = dialect.failure(fault.status, request);
      const headers = fault.retryAfter === undefined ? {} : { 'Retry-After': String(fault.retryAfter) };
      return sendReply(response, { ...reply, headers: { ...reply.headers, ...headers } });
    }
    if (fault.truncate) truncateBody(response);
    if (fault.invalidJson) corruptBody(response);
    return handle();
  };

  if (fault.latencyMs === undefined) return inject();
  const timer = setTimeout(inject, fault.latencyMs);
  response.once('close', () => clearTimeout(timer));
}

function gatewayPage(status: number): { status: number; headers: Record<string, string>; body: string } {
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
    body: `<html>\r\n<head><title>${status} gateway</title></head>\r\n<body><center><h1>${status}</h1></center><hr></body>\r\n</html>\r\n`,
  };
}

function truncateBody(response: Response): void {
  replaceBody(response, body => {
    // The header states the full length, so that the client detects the truncation.
    response.setHeader('Content-Length', Math.max(body.length, 1));
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
  });
}

function corruptBody(response: Response): void {
  replaceBody(response, (body, end) => {
    const corrupted = Buffer.concat([
      body.subarray(0, Math.max(1, Math.floor(body.length / 2))),
      Buffer.from('…'),
    ]);
    response.setHeader('Content-Length', corrupted.length);
    end(corrupted);
  });
}

/** Buffers the body that a handler writes to the response, and passes it to `send` instead of sending it. */
function replaceBody(response: Response, send: (body: Buffer, end: (body: Buffer) => void) => void): void {
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  const chunks: Buffer[] = [];
  const collect = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, isEncoding(encoding) ? encoding : 'utf8'));
    if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  Object.assign(response, {
    write: (chunk: unknown, encoding: unknown) => {
      collect(chunk, encoding);
      return true;
    },
    end: (chunk: unknown, encoding: unknown) => {
      collect(chunk, encoding);
      Object.assign(response, { write, end });
      send(Buffer.concat(chunks), body => void end(body));
      return response;
    },
  });
}

function isEncoding(value: unknown): value is BufferEncoding {
  return typeof value === 'string' && Buffer.isEncoding(value);
}
