/** A model that follows a script, behind the API of OpenAI's chat completions, which most models have. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';

/** What the model does next: call a tool, or answer. */
export type Step =
  | { readonly tool: string; readonly given: Readonly<Record<string, unknown>> }
  | { readonly answer: string };

/** Decides the next step from the results of the tools called so far. */
// oxlint-disable-next-line typescript/no-explicit-any -- each script reads the results of the tools that it calls
export type Script = (...results: readonly any[]) => Step;

export interface ScriptedModel {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server for `POST /chat/completions`, which calls the tools that a script names. */
export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const app = express().use(express.json({ limit: '5mb' }));
  app.post('/chat/completions', (request, response) => {
    const { messages, tools = [], stream = false } = request.body as ChatRequest;
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => readResult(content));
    const step = script(...results);
    const isOffered = 'answer' in step || tools.some(tool => tool.function.name === step.tool);
    response.status(isOffered ? 200 : 400);
    if (stream) response.type('text/event-stream').send(`data: ${chunkOf(step)}\n\ndata: [DONE]\n\n`);
    else response.json(completionOf(step));
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // A server that listens on a port has such an address.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly stream?: boolean;
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

function completionOf(step: Step) {
  const call = 'tool' in step ? { name: step.tool, arguments: JSON.stringify(step.given) } : null;
  const message = {
    role: 'assistant',
    content: 'answer' in step ? step.answer : null,
    ...(call ? { tool_calls: [{ index: 0, id: randomUUID(), type: 'function', function: call }] } : {}),
  };
  return {
    id: randomUUID(),
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: 'scripted',
    choices: [{ index: 0, message, finish_reason: call ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

/** Returns the JSON of a completion that is streamed as a whole. */
function chunkOf(step: Step): string {
  const { choices, ...completion } = completionOf(step);
  const streamed = choices.map(({ message, ...choice }) => ({ ...choice, delta: message }));
  return JSON.stringify({ ...completion, object: 'chat.completion.chunk', choices: streamed });
}

/** Libraries send the text of a result, or its content blocks as JSON. */
function readResult(content: unknown): unknown {
  const value: unknown = typeof content === 'string' ? JSON.parse(content) : content;
  const [block] = Array.isArray(value) ? (value as unknown[]) : [value];
  const { type, text } = block as { readonly type?: string; readonly text?: string };
  return type === 'text' && text !== undefined ? JSON.parse(text) : block;
}
