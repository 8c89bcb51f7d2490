/** What the page and its backend send each other for the chat. */

/** A part of the answer to a question, as a line of JSON. */
export type ChatEvent =
  | ({ readonly type: 'call' } & ToolCallStart)
  | ({ readonly type: 'result' } & ToolCallEnd)
  /** The next part of the answer's Markdown. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'error'; readonly message: string }
  /** There is no answer until the person signs in. */
  | { readonly type: 'sign-in'; readonly message: string }
  /** The last event of a complete answer. */
  | { readonly type: 'done' };

export interface ToolCallStart {
  readonly id: number;
  readonly tool: string;
  /** The name of the source; null if the call concerns none or an unknown one. */
  readonly source: string | null;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface ToolCallEnd {
  readonly id: number;
  readonly isError: boolean;
  readonly ms: number;
  /** What the result contains, in a few words. */
  readonly summary: string;
  readonly result: unknown;
}

export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface ChatRequest {
  /** The conversation; the last message is the question. */
  readonly messages: readonly ChatMessage[];
  /** The person's IANA time zone, which decides what last week is. */
  readonly timeZone: string;
}

/** What answers the questions. */
export interface ChatInfo {
  /** The name of the language model, or null if answers are scripted. */
  readonly model: string | null;
  /** Why the person has to sign in before they ask, in a sentence; null if they have. */
  readonly reasonToSignIn: string | null;
  readonly suggestions: readonly Suggestion[];
}

export interface Suggestion {
  readonly question: string;
  /** The key of the source that the answer needs, or null. */
  readonly source: string | null;
}
