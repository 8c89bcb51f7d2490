import type { Suggestion } from '../page/chat-events.ts';

/** The questions that the chat suggests, each once its source is connected. The script knows only these. */
export const suggestions = {
  spend: { question: 'Which campaigns spent most last week?', source: 'google-ads' },
  calls: { question: 'What did we discuss in the latest calls?', source: 'gong' },
  meetings: { question: 'What was in my last meetings?', source: 'granola' },
  sources: { question: 'Which sources are connected?', source: null },
} as const satisfies Readonly<Record<string, Suggestion>>;
