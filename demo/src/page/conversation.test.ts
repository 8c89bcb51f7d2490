import { expect, test } from 'vitest';
import type { ChatEvent, ChatRequest } from './chat-events.ts';
import { Conversation, type Send } from './conversation.ts';

const call: ChatEvent = {
  type: 'call',
  id: 1,
  tool: 'search',
  source: 'Gong',
  arguments: { entity: 'calls' },
};
const result: Extract<ChatEvent, { type: 'result' }> = {
  type: 'result',
  id: 1,
  isError: false,
  ms: 12,
  summary: '3 records',
  result: { records: [] },
};

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(new Error('Aborted'));
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
  });
}

/** Sends these events; `wait` waits until the answer is stopped. */
function answerWith(...events: readonly (ChatEvent | 'wait')[]) {
  const sent: ChatRequest[] = [];
  const send: Send = async function* (request, signal) {
    sent.push(request);
    for (const event of events) {
      if (event === 'wait') await untilAborted(signal);
      else yield event;
    }
  };
  return { send, sent };
}

test('shows calls, their results and the text as they arrive', async () => {
  const { send } = answerWith(
    call,
    result,
    { type: 'text', text: 'Three ' },
    { type: 'text', text: 'calls' },
    { type: 'done' },
  );
  const conversation = new Conversation(send);
  const seen: string[] = [];
  conversation.addEventListener('change', () => {
    const [turn] = conversation.turns;
    seen.push(
      [turn?.state.is, ...(turn?.calls.map(({ end }) => end?.summary ?? '…') ?? []), turn?.answer].join(' '),
    );
  });
  await conversation.ask('How many calls?');
  expect(seen).toEqual([
    'running ',
    'running … ',
    'running 3 records ',
    'running 3 records Three ',
    'running 3 records Three calls',
    'done 3 records Three calls',
  ]);
});

test('sends earlier questions and answers with the next question', async () => {
  const { send, sent } = answerWith({ type: 'text', text: 'Three' }, { type: 'done' });
  const conversation = new Conversation(send);
  await conversation.ask('How many calls?');
  await conversation.ask('And notes?');
  expect(sent.at(-1)?.messages).toEqual([
    { role: 'user', text: 'How many calls?' },
    { role: 'assistant', text: 'Three' },
    { role: 'user', text: 'And notes?' },
  ]);
});

test('stops an answer, and asks the next question', async () => {
  const conversation = new Conversation(answerWith(call, 'wait').send);
  conversation.addEventListener('change', () => {
    if (conversation.turns[0]?.calls.length === 1) conversation.stop();
  });
  await conversation.ask('Q');
  expect(conversation.turns.map(({ state }) => state.is)).toEqual(['stopped']);
  void conversation.ask('Again');
  expect(conversation.turns).toHaveLength(2);
  conversation.stop();
});

test('says why there is no answer', async () => {
  const stateAfter = async (...events: readonly ChatEvent[]) => {
    const conversation = new Conversation(answerWith(...events).send);
    await conversation.ask('Q');
    return conversation.turns[0]?.state;
  };
  expect(await stateAfter(call, { type: 'error', message: 'Check MODEL_KEY' })).toEqual({
    is: 'failed',
    message: 'Check MODEL_KEY',
  });
  expect(await stateAfter(call)).toMatchObject({ is: 'failed', message: expect.stringContaining('ended') });
});
