import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { isListenUrl, stringifyJson, type ReceiveEventsRequest } from '@connector-auth/api';
import type { Send } from '@connector-auth/api/client';
import { z } from 'zod';
import { connect, environmentNotes, readObject, receive } from './admin-api.ts';
import { helpOf, parseArguments, type Syntax } from './arguments.ts';
import { CommandError, exitCodes, UsageError, type CommandContext, type ExitCode } from './command.ts';
import { printable, type Terminal } from './terminal.ts';

const syntax: Syntax = {
  command: 'events listen',
  summary: "Forward an organization's events to a server that only this machine can reach",
  options: {
    forward: {
      value: 'url',
      description: 'Where to send each event, such as http://localhost:3000/connector-auth/events',
      isRequired: true,
    },
    'organization-id': { value: 'id', description: 'Required if the service has several organizations' },
    name: {
      value: 'name',
      description: 'Continue where the listener with this name stopped. Default: the name of this machine',
    },
  },
  notes: [
    'Waits for events with requests to the service, so it needs no tunnel. Each event is signed as any webhook is, and an\n' +
      'event that the server does not accept is sent again later. Ctrl-C stops. Events are kept for 30 days, so that\n' +
      'the next start continues. "admin deleteWebhook" deletes a listener.',
    environmentNotes,
  ],
};

/** Runs `events listen`, whose listener is a webhook with the URL `listen:` and its name. */
export async function runEvents(
  [name, ...args]: readonly string[],
  { environment, terminal }: CommandContext,
): Promise<ExitCode> {
  const given = name === 'listen' ? parseArguments(args, syntax) : null;
  if (given === null) {
    if (name !== undefined && !['listen', '--help', '-h'].includes(name)) {
      throw new UsageError(`Unknown command "events ${printable(name)}". Did you mean "events listen"?`);
    }
    terminal.print(helpOf(syntax));
    return exitCodes.ok;
  }
  const forward = given.get('forward') ?? '';
  if (!/^https?:$/.test(URL.parse(forward)?.protocol ?? '')) {
    throw new UsageError('--forward must be an http or https URL');
  }
  const url = `listen:${given.get('name') ?? hostname().replaceAll(/[^\w.-]+/g, '-')}`;
  if (!isListenUrl(url)) throw new UsageError('--name must consist of letters, digits, ".", "_" and "-"');
  const send = connect(environment, terminal);
  const organizationId = given.get('organization-id') ?? (await findOnlyOrganization(send));
  const webhooks = `/api/v1/admin/organizations/${encodeURIComponent(organizationId)}/webhooks` as const;
  const id = await findOrCreateListener(send, webhooks, url, terminal);
  terminal.note(
    `Forwarding events to ${forward}. Ctrl-C stops; the next start continues where this one stopped.`,
  );
  const exchange = async (request: ReceiveEventsRequest, signal?: AbortSignal) =>
    receivedEvents.parse(await ask(send, 'POST', `${webhooks}/${id}/receive`, request, signal)).events;
  await forwardEvents(exchange, forward, terminal);
  return exitCodes.ok;
}

const receivedEvents = z.object({
  events: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    }),
  ),
});
type ReceivedEvent = z.infer<typeof receivedEvents>['events'][number];
type GivenResponse = NonNullable<ReceiveEventsRequest['responses']>[number];

async function ask(
  send: Send,
  method: 'GET' | 'POST' | 'PATCH',
  path: `/api/v1/${string}`,
  body?: object,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const content =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: stringifyJson(body) };
  const { text } = await receive(send, { method, path, ...content }, { signal });
  return readObject(text);
}

async function findOnlyOrganization(send: Send): Promise<string> {
  const { data } = await ask(send, 'GET', '/api/v1/admin/organizations?limit=2');
  const [only, other] = z.array(z.object({ id: z.string() })).parse(data);
  if (only !== undefined && other === undefined) return only.id;
  throw new UsageError(
    only === undefined
      ? 'The service has no organization yet'
      : 'The service has several organizations: add --organization-id. "admin listOrganizations" lists them',
  );
}

async function findOrCreateListener(
  send: Send,
  webhooks: `/api/v1/${string}`,
  url: string,
  terminal: Terminal,
): Promise<string> {
  const { data } = await ask(send, 'GET', webhooks);
  const found = z
    .array(z.object({ id: z.string(), url: z.string(), status: z.string() }))
    .parse(data)
    .find(webhook => webhook.url === url);
  if (found !== undefined) {
    if (found.status === 'disabled') await ask(send, 'PATCH', `${webhooks}/${found.id}`, { enabled: true });
    terminal.note(
      `Events are signed with the secret that was shown when "${url}" was created. "admin rotateWebhookSecret" replaces it.`,
    );
    return found.id;
  }
  const created = z
    .object({ id: z.string(), secret: z.string() })
    .parse(await ask(send, 'POST', webhooks, { url, description: `events listen on ${hostname()}` }));
  terminal.note(`Signing secret, which is shown only now: ${created.secret}`);
  return created.id;
}

const retryMs = 5_000;

/** Forwards events, one after the other, until the operator interrupts. */
async function forwardEvents(
  exchange: (request: ReceiveEventsRequest, signal?: AbortSignal) => Promise<readonly ReceivedEvent[]>,
  forward: string,
  terminal: Terminal,
): Promise<void> {
  const stop = terminal.interrupted();
  // What the service does not know yet.
  let responses: GivenResponse[] = [];
  while (!stop.aborted) {
    try {
      const events = await exchange({ responses, wait_seconds: 30 }, stop);
      responses = [];
      for (const event of events) {
        if (stop.aborted) break;
        responses.push(await forwardEvent(event, forward, terminal));
      }
    } catch (error) {
      if (stop.aborted) break;
      if (!(error instanceof CommandError) || error.exitCode !== exitCodes.unavailable) throw error;
      terminal.note(`${error.message}\nTrying again.`);
      await delay(retryMs, undefined, { signal: stop }).catch(() => {});
    }
  }
  if (responses.length > 0) await exchange({ responses, limit: 0 });
}

/** As long as the service itself waits for a response. */
const timeoutMs = 15_000;
const maxTextLength = 1_000;

/** Sends an event, and prints its type, the status of the response, the time that it took, and the event's id. */
async function forwardEvent(
  { id, type, headers, body }: ReceivedEvent,
  forward: string,
  terminal: Terminal,
): Promise<GivenResponse> {
  const startedAt = performance.now();
  const request = { method: 'POST', headers, body, redirect: 'manual' } as const;
  const { status, text } = await fetch(forward, { ...request, signal: AbortSignal.timeout(timeoutMs) }).then(
    async response => ({ status: response.status, text: await response.text() }),
    (error: unknown) => ({ status: null, text: reasonOf(error) }),
  );
  const ms = Math.round(performance.now() - startedAt);
  const time = new Date().toTimeString().slice(0, 8);
  terminal.print(`${time}  ${type.padEnd(24)}  ${status ?? printable(text)}  ${ms} ms  ${id}`);
  return { event_id: id, status, text: text.slice(0, maxTextLength) };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no response';
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000} s`;
  const { code } = (error.cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? `no response (${code})` : 'no response';
}
