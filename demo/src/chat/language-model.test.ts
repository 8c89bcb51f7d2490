import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { SignInRequiredError } from './answer-error.ts';
import { createLanguageModel, readModelSettings } from './language-model.ts';
import type { Toolbox } from './toolbox.ts';

interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly tools: readonly { readonly function: { readonly name: string } }[];
  };
}

type Reply = { readonly delta: object; readonly finish: string } | { readonly status: number } | 'nothing';

const callTool = (name: string, args: object): Reply => ({
  delta: {
    tool_calls: [
      { index: 0, id: 'call-1', type: 'function', function: { name, arguments: JSON.stringify(args) } },
    ],
  },
  finish: 'tool_calls',
});
const write = (content: string): Reply => ({ delta: { content }, finish: 'stop' });

const key = 'secret-key-of-the-model';
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Starts an API like OpenAI's, which sends these replies in turn and repeats the last one. */
async function startApi(...replies: readonly Reply[]) {
  const asked: Asked[] = [];
  const { promise: wasAsked, resolve: onAsked } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const reply = replies[Math.min(asked.length, replies.length - 1)];
      asked.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
      onAsked();
      if (reply === undefined || reply === 'nothing') return;
      if ('status' in reply) {
        response.writeHead(reply.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: `Not with ${key}` } }));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const chunk = (delta: object, finish_reason: string | null) =>
        response.write(
          `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
        );
      chunk({ role: 'assistant', ...reply.delta }, null);
      chunk({}, reply.finish);
      response.end('data: [DONE]\n\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, wasAsked };
}

const calls: unknown[] = [];
const toolbox: Toolbox = {
  tools: [{ name: 'list_sources', description: 'Lists the sources', inputSchema: { type: 'object' } }],
  call: (name, args) => {
    calls.push([name, args]);
    return Promise.resolve({ isError: false, content: { connections: [{ name: 'Ads 42' }] } });
  },
};

async function ask(url: string, signal = new AbortController().signal): Promise<string> {
  let answer = '';
  const say = (markdown: string) => (answer += markdown);
  const messages = [{ role: 'user' as const, text: 'Which sources are connected?' }];
  const now = new Date('2026-11-20T12:00:00Z');
  calls.splice(0);
  await createLanguageModel({ url, name: 'model-7', key }).answer(
    { messages, now, timeZone: 'UTC', say, signal },
    toolbox,
  );
  return answer.trim();
}

test('lets the model call the tools, and gives it their results', async () => {
  const api = await startApi(callTool('list_sources', { cursor: 'x' }), write('You have Ads 42.'));
  expect(await ask(api.url)).toBe('You have Ads 42.');
  expect(calls).toEqual([['list_sources', { cursor: 'x' }]]);
  const [first, second] = api.asked;
  expect(first?.headers.authorization).toBe(`Bearer ${key}`);
  expect(first?.body.model).toBe('model-7');
  expect(first?.body.tools.map(tool => tool.function.name)).toEqual(['list_sources']);
  const [instructions] = first?.body.messages ?? [];
  expect(instructions).toMatchObject({ role: 'system' });
  expect(instructions?.content).toContain('Last week is 2026-11-09 to 2026-11-15');
  const result = second?.body.messages.at(-1);
  expect(result).toMatchObject({ role: 'tool' });
  expect(result?.content).toContain('Ads 42');
});

test.each([
  [401, 'Check MODEL_KEY'],
  [404, 'Check MODEL_URL and MODEL_NAME'],
  [429, 'Wait a minute'],
  [500, 'The model returned an error (500)'],
])('says what to do if the model responds with %s, without its key', async (status, sentence) => {
  const { url } = await startApi({ status });
  const error = await ask(url).catch((error: unknown) => error);
  expect(String(error)).toContain(sentence);
  expect(String(error)).not.toContain(key);
});

test('says that it cannot reach the model', async () => {
  await expect(ask('http://127.0.0.1:1/v1')).rejects.toThrow('Can’t reach the model at http://127.0.0.1:1.');
});

test('stops a model that only calls tools', async () => {
  const api = await startApi(callTool('list_sources', {}));
  await expect(ask(api.url)).rejects.toThrow('Ask a narrower question');
  expect(api.asked).toHaveLength(10);
});

test('lets the model correct the name of a tool that does not exist', async () => {
  const api = await startApi(callTool('delete_everything', {}), write('I cannot do that.'));
  expect(await ask(api.url)).toBe('I cannot do that.');
  expect(calls).toEqual([]);
});

test('ends when the person has to sign in before a tool can be called', async () => {
  const { url } = await startApi(callTool('list_sources', {}), write('I cannot do that.'));
  vi.spyOn(toolbox, 'call').mockRejectedValueOnce(new SignInRequiredError('Sign in'));
  await expect(ask(url)).rejects.toThrow(SignInRequiredError);
});

test('ends when the person stops the answer', async () => {
  const stopping = new AbortController();
  const api = await startApi('nothing');
  const asking = ask(api.url, stopping.signal);
  void api.wasAsked.then(() => stopping.abort());
  await expect(asking).rejects.toThrow(/abort/i);
});

test('reads the settings, and says which is missing or wrong', () => {
  expect(readModelSettings({})).toBeNull();
  const MODEL_URL = 'http://127.0.0.1:11434/v1';
  expect(readModelSettings({ MODEL_URL, MODEL_NAME: 'm' })).toEqual({ url: MODEL_URL, name: 'm', key: null });
  expect(() => readModelSettings({ MODEL_URL })).toThrow('MODEL_NAME');
  expect(() => readModelSettings({ MODEL_URL: 'localhost', MODEL_NAME: 'm' })).toThrow('MODEL_URL');
});
