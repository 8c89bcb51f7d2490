import { sentenceOf } from './backend.ts';
import type { ChatEvent, ChatRequest, ToolCallEnd, ToolCallStart } from './chat-events.ts';

/** A question, and what is known of its answer. */
export interface Turn {
  readonly question: string;
  readonly calls: readonly ToolCall[];
  /** Markdown. */
  readonly answer: string;
  readonly state: TurnState;
}

export type TurnState =
  | { readonly is: 'running' }
  | { readonly is: 'done' }
  | { readonly is: 'stopped' }
  | { readonly is: 'failed'; readonly message: string }
  | { readonly is: 'signed-out'; readonly message: string };

export interface ToolCall extends ToolCallStart {
  /** Null while it is running. */
  readonly end: ToolCallEnd | null;
}

/** Sends a question to the backend; resolves with the parts of the answer as they arrive. */
export type Send = (request: ChatRequest, signal: AbortSignal) => AsyncIterable<ChatEvent>;

/** The conversation of the signed-in customer. Dispatches `change`. */
export class Conversation extends EventTarget {
  #turns: readonly Turn[] = [];
  #asking: AbortController | null = null;

  constructor(private readonly send: Send = sendQuestion) {
    super();
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  get isRunning(): boolean {
    return this.#asking !== null;
  }

  /** Asks a question; resolves when its answer ends. */
  async ask(question: string): Promise<void> {
    if (this.#asking) return;
    const asking = new AbortController();
    this.#asking = asking;
    this.#set([...this.#turns, { question, calls: [], answer: '', state: { is: 'running' } }]);
    const state = await this.#receive(asking.signal);
    this.#asking = null;
    this.#change(turn => ({ ...turn, state }));
  }

  stop(): void {
    this.#asking?.abort();
  }

  async #receive(signal: AbortSignal): Promise<TurnState> {
    try {
      for await (const event of this.send(this.#request(), signal)) {
        switch (event.type) {
          case 'call':
            this.#change(turn => ({ ...turn, calls: [...turn.calls, { ...event, end: null }] }));
            break;
          case 'result': {
            const complete = (call: ToolCall) => (call.id === event.id ? { ...call, end: event } : call);
            this.#change(turn => ({ ...turn, calls: turn.calls.map(complete) }));
            break;
          }
          case 'text':
            this.#change(turn => ({ ...turn, answer: turn.answer + event.text }));
            break;
          case 'error':
            return { is: 'failed', message: event.message };
          case 'sign-in':
            return { is: 'signed-out', message: event.message };
          case 'done':
            return { is: 'done' };
        }
      }
      return { is: 'failed', message: 'The connection to Fieldbook ended. Try again.' };
    } catch (error) {
      if (signal.aborted) return { is: 'stopped' };
      return { is: 'failed', message: error instanceof Error ? error.message : 'Something went wrong.' };
    }
  }

  /** Contains the answers to earlier questions, which a question can refer to. */
  #request(): ChatRequest {
    const messages = this.#turns.flatMap(({ question, answer }) => [
      { role: 'user' as const, text: question },
      ...(answer === '' ? [] : [{ role: 'assistant' as const, text: answer }]),
    ]);
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    return { messages: messages.slice(-maxMessages), timeZone };
  }

  /** Changes the latest turn. */
  #change(change: (turn: Turn) => Turn): void {
    const last = this.#turns.at(-1);
    if (last) this.#set([...this.#turns.slice(0, -1), change(last)]);
  }

  #set(turns: readonly Turn[]): void {
    this.#turns = turns;
    this.dispatchEvent(new Event('change'));
  }
}

const maxMessages = 21;

async function* sendQuestion(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  const response = await fetch('/api/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
    signal,
  }).catch((cause: unknown) => {
    throw new Error('Can’t reach Fieldbook. Check that it’s still running.', { cause });
  });
  if (!response.ok || !response.body) {
    const problem = (await response.json().catch(() => ({}))) as { detail?: string };
    throw new Error(sentenceOf(problem, response.status));
  }
  // The backend sends an event per line.
  for await (const line of linesOf(response.body)) yield JSON.parse(line) as ChatEvent;
}

async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
