import { json, Router, type Request, type Response } from 'express';
import { z } from 'zod';
import type { ChatEvent } from '../page/chat-events.ts';
import { sessionIdOf, signedInCustomer } from '../session.ts';
import { pathOnThisHost } from '../sign-in-page.ts';
import type { ChatAccess } from './access.ts';
import { AnswerError, SignInRequiredError } from './answer-error.ts';
import type { Model } from './model.ts';
import { withToolbox } from './toolbox.ts';

export interface ChatOptions {
  readonly access: ChatAccess;
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

/**
 * The chat: `POST /` answers a question as newline-delimited JSON. `GET /sign-in` sends the browser to the service, where the
 * person decides what the chat may read, and which sends it back to `GET /callback`.
 */
export function chatRoutes(options: ChatOptions): Router {
  const { access } = options;
  return Router()
    .post('/', json({ limit: '1mb' }), (request, response) => answer(options, request, response))
    .get('/sign-in', async (request, response) => {
      const url = await access.start(sessionIdOf(request), pathOnThisHost(request.query['next']));
      response.redirect(303, url);
    })
    .get('/callback', async (request, response) => {
      const { searchParams } = new URL(request.url, options.origin);
      response.redirect(303, await access.finish(sessionIdOf(request), searchParams));
    });
}

async function answer(options: ChatOptions, request: Request, response: Response): Promise<void> {
  const { access, model, now } = options;
  if (request.headers.origin !== options.origin) {
    response.status(403).json({ detail: 'This chat is only for Fieldbook’s own pages' });
    return;
  }
  if (signedInCustomer(request) === null) {
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
    const sessionId = sessionIdOf(request);
    const reason = access.reasonToSignIn(sessionId);
    if (reason !== null) throw new SignInRequiredError(reason);
    const authProvider = access.providerOf(sessionId);
    await withToolbox({ url: access.url, authProvider, emit, signal }, tools =>
      model.answer({ ...parsed.data, now: now(), say, signal }, tools),
    );
    emit({ type: 'done' });
  } catch (error) {
    const type = error instanceof SignInRequiredError ? 'sign-in' : 'error';
    if (!left.signal.aborted) emit({ type, message: messageOf(error, signal) });
  }
  response.end();
}

function messageOf(error: unknown, { aborted }: AbortSignal): string {
  if (error instanceof AnswerError) return error.message;
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
