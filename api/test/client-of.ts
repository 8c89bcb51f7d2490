import { onTestFinished } from 'vitest';
import { createClient, type Client } from '../src/client/client.ts';
import type { ClientOptions } from '../src/client/options.ts';
import { ConnectorAuthError, problemCodeHeader, toProblem, type ProblemCode } from '../src/index.ts';
import { application, startService, type Reply, type ScriptedService } from './scripted-service.ts';

export const id = '7d9f3a52-1c6e-4c0b-9a53-0a6f6b1d8d11';
export const list = { entity: 'notes', action: 'list' };
/** An empty response to {@link list}. */
export const empty = { json: { result: [], connector_metadata: null } };

/** Starts a scripted service; it stops when the test ends. */
export async function serve(...scripts: Parameters<typeof startService>): Promise<ScriptedService> {
  const service = await startService(...scripts);
  onTestFinished(() => service.close());
  return service;
}

/**
 * Creates a client for a service that sends `replies` in turn and then repeats the last one. Retry delays are
 * half their maximum.
 */
export async function clientOf(
  replies: Reply[],
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; service: ScriptedService }> {
  const service = await serve((_request, index) => replies[Math.min(index, replies.length - 1)] ?? 'drop');
  const client = createClient({ ...application, baseUrl: service.baseUrl, random: () => 0.5, ...options });
  return { client, service };
}

/** Returns a problem response from the service. */
export function problem(code: ProblemCode, headers: Record<string, string> = {}): Reply {
  const body = toProblem(new ConnectorAuthError(code, 'What to do'), 'req-1');
  return {
    status: body.status,
    headers: { 'content-type': 'application/problem+json', [problemCodeHeader]: code, ...headers },
    json: body,
  };
}
