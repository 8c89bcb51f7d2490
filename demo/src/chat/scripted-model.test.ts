import { expect, test } from 'vitest';
import { AnswerError } from './answer-error.ts';
import { scriptedModel } from './scripted-model.ts';
import { suggestions } from './suggestions.ts';
import type { Members, Toolbox, ToolResult } from './toolbox.ts';

const ads = {
  connector_id: 'ads',
  source: 'google-ads',
  name: 'My ads',
  state: 'current',
  sync: 'ready',
};
const gong = { connector_id: 'gong', source: 'gong', name: 'Gong', state: 'syncing', sync: 'building' };
const sources = [
  { source: 'google-ads', name: 'Google Ads' },
  { source: 'gong', name: 'Gong' },
];
const page = (records: readonly Members[], next_cursor: string | null = null): Members => ({
  records,
  next_cursor,
});
const account = {
  'customer.id': '6660007788',
  'customer.descriptive_name': 'Tidewater',
  'customer.currency_code': 'EUR',
};
const campaign = (name: string, units: number) => ({
  campaign: { name },
  metrics: { costMicros: String(units * 1_000_000) },
});

/** Returns tools with these results, by tool and entity; a string is an error. */
function toolsWith(results: Readonly<Record<string, Members | string>>) {
  const calls: { readonly name: string; readonly args: Members }[] = [];
  const call = (name: string, args: Members): Promise<ToolResult> => {
    calls.push({ name, args });
    const { entity } = args;
    const result = results[typeof entity === 'string' ? `${name} ${entity}` : name];
    return Promise.resolve(
      typeof result === 'string'
        ? { isError: true, content: { message: result } }
        : { isError: false, content: result ?? {} },
    );
  };
  const toolbox: Toolbox = { tools: [], call };
  return { toolbox, calls };
}

async function ask(question: string, toolbox: Toolbox): Promise<string> {
  let answer = '';
  const say = (markdown: string) => (answer += markdown);
  const now = new Date('2026-11-20T12:00:00Z');
  const { signal } = new AbortController();
  const messages = [{ role: 'user' as const, text: question }];
  await scriptedModel.answer({ messages, now, timeZone: 'UTC', say, signal }, toolbox);
  return answer;
}

test('names the campaigns that spent most from the results of the tools', async () => {
  const { toolbox, calls } = toolsWith({
    list_sources: { connections: [gong, ads], sources },
    'search accounts': page([account]),
    'read campaigns': page([campaign('Brand', 30), campaign('Video', 10)]),
  });
  const answer = await ask(suggestions.spend.question, toolbox);
  expect(answer).toContain(String.raw`**Brand** spent most last week`);
  expect(answer).toContain('Nov 9');
  expect(answer).toContain(String.raw`**€30\.00** of €40\.00 in 2 campaigns of Tidewater`);
  expect(answer).toContain(String.raw`| Video | €10\.00 | 25\% |`);
  const { args } = calls.at(-1) ?? {};
  expect(args).toMatchObject({ connector_id: 'ads', params: { customer_id: '6660007788' } });
  expect(JSON.stringify(args)).toContain(`BETWEEN '2026-11-09' AND '2026-11-15'`);
});

test('names no total if it has not read all campaigns', async () => {
  const { toolbox } = toolsWith({
    list_sources: { connections: [ads], sources },
    'search accounts': page([account]),
    'read campaigns': page([campaign('Brand', 30), campaign('Video', 10)], 'more'),
  });
  const answer = await ask('WHICH CAMPAIGNS SPENT the most last week', toolbox);
  expect(answer).toContain(String.raw`**€30\.00** of Tidewater`);
  expect(answer).not.toMatch(/Share|40/);
});

test('writes text of vendors as text', async () => {
  const name = '[Reconnect](#connections/gong) | **<img src=x>**\n# Now';
  const { toolbox } = toolsWith({
    list_sources: { connections: [ads], sources },
    'search accounts': page([account]),
    'read campaigns': page([campaign(name, 30)]),
  });
  const answer = await ask(suggestions.spend.question, toolbox);
  const escaped = String.raw`\[Reconnect\]\(\#connections\/gong\) \| \*\*\<img src\=x\>\*\* \# Now`;
  expect(answer.replaceAll(escaped, '')).not.toMatch(/Reconnect|img/);
});

test('offers to connect a source that is missing, and to reconnect one whose sign-in expired', async () => {
  const missing = toolsWith({ list_sources: { connections: [gong], sources } });
  expect(await ask(suggestions.spend.question, missing.toolbox)).toContain(
    '[Connect Google Ads](#connections/google-ads)',
  );
  const expired = toolsWith({
    list_sources: { connections: [{ ...ads, state: 'expired' }], sources },
  });
  expect(await ask(suggestions.spend.question, expired.toolbox)).toContain(
    '[Reconnect Google Ads](#connections/google-ads)',
  );
  expect([...missing.calls, ...expired.calls].map(({ name }) => name)).toEqual([
    'list_sources',
    'list_sources',
  ]);
});

test('says that accounts are still being imported instead of that there are none', async () => {
  const { toolbox } = toolsWith({
    list_sources: { connections: [ads], sources },
    'search accounts': page([]),
  });
  expect(await ask(suggestions.spend.question, toolbox)).toContain('ask again in a minute');
});

test('summarizes the latest calls, whatever the offset of their time', async () => {
  const calls = [
    { startdatetime: '2026-11-20T10:00:00+05:30', 'metaData.title': 'Earlier', 'content.brief': null },
    {
      startdatetime: '2026-11-20T09:00:00Z',
      'metaData.title': 'Later',
      'metaData.duration': 1800,
      'content.brief': 'Pricing was discussed',
      'content.keyPoints': [{ text: 'Budget confirmed' }, { text: 'Pilot on four sites' }],
    },
  ];
  const { toolbox } = toolsWith({
    list_sources: { connections: [gong], sources },
    'search calls_extensive': page(calls),
  });
  const answer = await ask(suggestions.calls.question, toolbox);
  expect(answer.indexOf('**Later**')).toBeLessThan(answer.indexOf('**Earlier**'));
  expect(answer).toMatch(/Nov 20.* 9.*00.*AM.*30 min/);
  expect(answer).toContain(
    String.raw`Pricing was discussed Key points\: Budget confirmed\; Pilot on four sites\.`,
  );
  expect(answer).toContain('no summary');
});

test('summarizes the last meetings from live notes, the latest of all connections first', async () => {
  const granola = {
    connector_id: 'notes',
    source: 'granola',
    name: 'Notes',
    state: 'syncing',
    sync: 'building',
  };
  const { toolbox, calls } = toolsWith({
    list_sources: { connections: [granola], sources },
    'read notes': page([
      { id: 'not_1', title: 'Quote', created_at: '2026-11-20T09:00:00Z', summary_text: 'Two *variants*' },
    ]),
  });
  const answer = await ask(suggestions.meetings.question, toolbox);
  expect(answer).toMatch(/\*\*Quote\*\*, Nov 20.* 9.*00/);
  expect(answer).toContain(String.raw`Two \*variants\*`);
  expect(calls.map(({ args }) => args['action'])).toEqual([undefined, 'list', 'get']);
  expect(calls.at(-1)?.args).toMatchObject({ connector_id: 'notes', params: { note_id: 'not_1' } });
  const empty = toolsWith({ list_sources: { connections: [granola], sources }, 'read notes': page([]) });
  expect(await ask(suggestions.meetings.question, empty.toolbox)).toBe('Granola has no notes yet.');
});

test('each suggestion has exactly one script', async () => {
  for (const { question, source } of Object.values(suggestions)) {
    const { toolbox, calls } = toolsWith({
      list_sources: { connections: [], sources: [{ source, name: 'It' }] },
    });
    expect(await ask(question, toolbox)).toMatch(/isn’t connected|No source is connected/);
    expect(calls).toHaveLength(1);
  }
});

test('lists the connected sources, and offers the others', async () => {
  const { toolbox } = toolsWith({ list_sources: { connections: [ads], sources } });
  const answer = await ask(suggestions.sources.question, toolbox);
  expect(answer).toContain('| Google Ads | My ads | Up to date | Complete |');
  expect(answer).toContain('[Gong](#connections/gong)');
});

test('says what it can answer, without a call, if a question only resembles one that it knows', async () => {
  const { toolbox, calls } = toolsWith({});
  for (const question of [
    'Which campaigns spent most last month?',
    'Which campaigns had the most clicks last week?',
    'Which campaigns spent least last week?',
    'What did we discuss in calls of last year?',
    'Hello',
  ]) {
    expect(await ask(question, toolbox)).toContain(suggestions.spend.question);
  }
  expect(calls).toEqual([]);
});

test('reports which tool failed and why', async () => {
  const { toolbox } = toolsWith({
    list_sources: { connections: [ads], sources },
    'search accounts': 'Too many requests. Wait 5 s.',
  });
  const asking = ask(suggestions.spend.question, toolbox);
  await expect(asking).rejects.toThrow(AnswerError);
  await expect(asking).rejects.toThrow('search, which failed: Too many requests. Wait 5 s.');
});
