import { ConnectorAuthError } from '@connector-auth/api';
import type { Client } from '@connector-auth/api/client';
import { json, Router, type Request, type Response } from 'express';
import { z } from 'zod';
import type { ChatEvent } from '../page/chat-events.ts';
import { signedInCustomer } from '../session.ts';
import { AnswerError } from './answer-error.ts';
import type { Model } from './model.ts';
import { withToolbox } from './toolbox.ts';

export interface ChatOptions {
  readonly serviceUrl: string;
  readonly client: Pick<Client, 'tokens'>;
  /** The origin of Fieldbook's own pages. */
  readonly origin: string;
  readonly model: Model;
  /** Returns the time of the data, which decides what last week is. */
  readonly now: () => Date;
}

const maxMessages = 40;
const maxMessageLength = 20_000;
const maxQuestionLength = 2_000;
const maxAnswerMs = 5 * 60_000;

const chatRequest = z.object({
  messages: z
    .array(z.object({ role: z.enum(['user', 'assistant']), text: z.string().max(maxMessageLength) }))
    .min(1)
    .max(maxMessages)
    .refine(messages => {
      const question = messages.at(-1);
      return question?.role === 'user' && question.text.length <= maxQuestionLength;
    }),
  timeZone: z.string().refine(isTimeZone),
});

/** The chat: `POST /` answers a question as newline-delimited JSON. */
export function chatRoutes(options: ChatOptions): Router {
  return Router().post('/', json({ limit: '1mb' }), (request, response) =>
    answer(options, request, response),
  );
}

async function answer(options: ChatOptions, request: Request, response: Response): Promise<void> {
  const { model, now } = options;
  if (request.headers.origin !== options.origin) {
    response.status(403).json({ detail: 'This chat is only for Fieldbook’s own pages' });
    return;
  }
  const customer = signedInCustomer(request);
  if (customer === null) {
    response.status(401).json({ detail: 'Sign in' });
    return;
  }
  const parsed = chatRequest.safeParse(request.body);
  if (!parsed.success) {
    response.status(422).json({ detail: 'Send a question of up to 2,000 characters' });
    return;
  }
  const left = new AbortController();
  response.once('close', () => left.abort());
  const signal = AbortSignal.any([left.signal, AbortSignal.timeout(maxAnswerMs)]);
  const emit = (event: ChatEvent) => void response.write(`${JSON.stringify(event)}\n`);
  response.status(200).set({ 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
  try {
    const say = (text: string) => emit({ type: 'text', text });
    await withToolbox({ ...options, customer: customer.id, emit, signal }, tools =>
      model.answer({ ...parsed.data, now: now(), say, signal }, tools),
    );
    emit({ type: 'done' });
  } catch (error) {
    if (!left.signal.aborted) emit({ type: 'error', message: messageOf(error, signal) });
  }
  response.end();
}

function messageOf(error: unknown, { aborted }: AbortSignal): string {
  if (error instanceof AnswerError) return error.message;
  if (error instanceof ConnectorAuthError) return error.message;
  if (aborted) return 'The answer took too long. Ask a narrower question.';
  console.error(error);
  return 'Something went wrong. The log of the demo says more.';
}

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).format() !== '';
  } catch {
    return false;
  }
}
