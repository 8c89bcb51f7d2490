import type { ChatMessage } from '../page/chat-events.ts';
import type { Toolbox } from './toolbox.ts';

/** What answers questions: a language model, or the script that stands in for one. */
export interface Model {
  /** Null for the script. */
  readonly name: string | null;
  /**
   * Answers the last message, and calls `say` with the parts of its Markdown.
   * @throws AnswerError
   */
  answer(question: Question, tools: Toolbox): Promise<void>;
}

export interface Question {
  readonly messages: readonly ChatMessage[];
  readonly now: Date;
  readonly timeZone: string;
  readonly say: (markdown: string) => void;
  readonly signal: AbortSignal;
}
