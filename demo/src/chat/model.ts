import type { ChatMessage, Suggestion } from '../page/chat-events.ts';
import type { Toolbox } from './toolbox.ts';

/** The questions that the chat suggests, each once its source is connected. The script knows only these. */
export const suggestions = {
  spend: { question: 'Which campaigns spent most last week?', source: 'google-ads' },
  calls: { question: 'What did we discuss in the latest calls?', source: 'gong' },
  meetings: { question: 'What was in my last meetings?', source: 'granola' },
  sources: { question: 'Which sources are connected?', source: null },
} as const satisfies Readonly<Record<string, Suggestion>>;

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
