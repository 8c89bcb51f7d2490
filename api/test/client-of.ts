import { onTestFinished } from 'vitest';
import { createClient, type Client } from '../src/client/client.ts';
import type { ClientOptions } from '../src/client/options.ts';
import { ConnectorAuthError, problemCodeHeader, toProblem, type ProblemCode } from '../src/index.ts';
import { application, startService, type Reply, type ScriptedService } from './scripted-service.ts';

/** A connector's id, and an action that only reads. */
export const id = '7d9f3a52-1c6e-4c0b-9a53-0a6f6b1d8d11';
export const list = { entity: 'notes', action: 'list' };
/** What {@link list} answers when there is nothing. */
export const empty = { json: { result: [], connector_metadata: null } };

/** A scripted service that ends with the test. */
export async function serve(...scripts: Parameters<typeof startService>): Promise<ScriptedService> {
  const service = await startService(...scripts);
  onTestFinished(() => service.close());
  return service;
}

/** A client of a service that answers with `replies` in turn, the last one for ever. Delays are half their bound. */
export async function clientOf(
  replies: Reply[],
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; service: ScriptedService }> {
  const service = await serve((_request, index) => replies[Math.min(index, replies.length - 1)] ?? 'drop');
  const client = createClient({ ...application, baseUrl: service.baseUrl, random: () => 0.5, ...options });
  return { client, service };
}

/** The answer that stands for an error of the service. */
export function problem(code: ProblemCode, headers: Record<string, string> = {}): Reply {
  const body = toProblem(new ConnectorAuthError(code, 'What to do'), 'req-1');
  return {
    status: body.status,
    headers: { 'content-type': 'application/problem+json', [problemCodeHeader]: code, ...headers },
    json: body,
  };
}
