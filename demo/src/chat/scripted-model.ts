/** Answers a few questions from live results, so that the chat works without a language model. */
import { connectionWords } from '@connector-auth/api/connection-state';
import { minutes, money, percent, shortTime, time } from '../page/format.ts';
import { AnswerError } from './answer-error.ts';
import { lastWeek } from './last-week.ts';
import { link, table, text } from './markdown.ts';
import type { Model, Question } from './model.ts';
import { suggestions } from './suggestions.ts';
import { listOf, messageOf, type Members, type Toolbox, type ToolResult } from './toolbox.ts';

interface Script {
  /** What a question contains that means the same. A script never answers a question that it only resembles. */
  readonly words: readonly RegExp[];
  /** Returns the answer as Markdown. */
  readonly run: (question: Question, tools: Toolbox) => Promise<string>;
}

const scripts: readonly Script[] = [
  { words: [/\bcampaigns?\b/, /\b(?:spend|spent|cost)\b/, /\bmost\b/, /\blast week\b/], run: compareSpend },
  {
    words: [/\b(?:discuss|discussed|talk|talked)\b/, /\b(?:latest|last|recent) calls?\b/],
    run: summarizeCalls,
  },
  {
    words: [
      /\b(?:what|discuss|discussed|talk|talked|happened)\b/,
      /\b(?:latest|last|recent) (?:meetings?|notes?)\b/,
    ],
    run: summarizeMeetings,
  },
  { words: [/\bsources?\b/, /\bconnected\b/], run: listConnections },
];

export const scriptedModel: Model = {
  name: null,
  answer: async (question, tools) => {
    const asked = (question.messages.at(-1)?.text ?? '').toLowerCase();
    const script = scripts.find(({ words }) => words.every(word => word.test(asked)));
    question.say(script ? await script.run(question, tools) : unknownQuestion);
  },
};

const unknownQuestion = [
  'I can’t answer that: my answers are scripted. Without a language model, I only know these questions:',
  Object.values(suggestions)
    .map(({ question }) => `- ${question}`)
    .join('\n'),
].join('\n\n');

const maxCampaigns = 5;
const maxCalls = 5;
const maxMeetings = 3;
/** Gong sends times with different offsets, by whose text search sorts, so the latest calls are among these. */
const maxRead = 30;

async function compareSpend({ now, timeZone }: Question, tools: Toolbox): Promise<string> {
  const connection = await connectionOf(tools, 'google-ads');
  if ('answer' in connection) return connection.answer;
  const week = lastWeek(now, timeZone);
  const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
  const period = text(dates.formatRange(Date.parse(week.first), Date.parse(week.last)));
  const accounts = await use(tools, 'search', {
    connector_id: connection.id,
    entity: 'accounts',
    filter: { eq: { 'segments.date': null, 'customer.manager': false } },
    fields: ['customer.id', 'customer.descriptive_name', 'customer.currency_code'],
    sort: ['customer.descriptive_name'],
    limit: 1,
  });
  const [account] = listOf(accounts, 'records');
  if (!account) return nothingYet('Google Ads', 'accounts');
  const page = await use(tools, 'read', {
    connector_id: connection.id,
    entity: 'campaigns',
    action: 'list',
    params: {
      customer_id: String(account['customer.id']),
      query: `SELECT campaign.name, metrics.cost_micros FROM campaign WHERE segments.date BETWEEN '${week.first}' AND '${week.last}' AND metrics.cost_micros > 0 ORDER BY metrics.cost_micros DESC`,
    },
    fields: ['campaign.name', 'metrics.costMicros'],
  });
  const name = text(account['customer.descriptive_name'] ?? account['customer.id']);
  const currency = account['customer.currency_code'];
  const amount = (spend: number) => text(money(spend, typeof currency === 'string' ? currency : null, 'en'));
  const campaigns = listOf(page, 'records').map(({ campaign, metrics }) => ({
    name: text(memberOf(campaign, 'name') ?? 'Campaign without a name'),
    spend: Number(memberOf(metrics, 'costMicros') ?? 0) / 1_000_000,
  }));
  const [first] = campaigns;
  if (!first) return `No campaign of **${name}** spent anything last week (${period}).`;
  const total = campaigns.reduce((sum, { spend }) => sum + spend, 0);
  // The total is only known if the page contains every campaign.
  const isComplete = page['next_cursor'] === null;
  const whole = isComplete ? ` of ${amount(total)} in ${countOf(campaigns.length, 'campaign')}` : '';
  const rows = campaigns
    .slice(0, maxCampaigns)
    .map(each => [
      each.name,
      amount(each.spend),
      ...(isComplete ? [text(percent(each.spend / total, 'en'))] : []),
    ]);
  return [
    `**${first.name}** spent most last week (${period}): **${amount(first.spend)}**${whole} of ${name}.`,
    table(['Campaign', 'Spend:', ...(isComplete ? ['Share:'] : [])], rows),
  ].join('\n\n');
}

async function summarizeCalls({ now, timeZone }: Question, tools: Toolbox): Promise<string> {
  const connection = await connectionOf(tools, 'gong');
  if ('answer' in connection) return connection.answer;
  const page = await use(tools, 'search', {
    connector_id: connection.id,
    entity: 'calls_extensive',
    filter: { lte: { startdatetime: now.toISOString() } },
    sort: ['-startdatetime'],
    fields: ['startdatetime', 'metaData.title', 'metaData.duration', 'content.brief', 'content.keyPoints'],
    limit: maxRead,
  });
  const startOf = (call: Members) => String(call['startdatetime']);
  const latest = listOf(page, 'records')
    .toSorted((one, other) => Date.parse(startOf(other)) - Date.parse(startOf(one)))
    .slice(0, maxCalls);
  if (latest.length === 0) return nothingYet('Gong', 'calls');
  const calls = latest.map(call => {
    const when = time(startOf(call), 'en', { ...shortTime, timeZone });
    const length = minutes(Number(call['metaData.duration'] ?? 0));
    const points = listOf(call, 'content.keyPoints').map(point => String(point['text']));
    const key = points.length === 0 ? '' : ` ${text(`Key points: ${points.join('; ')}.`)}`;
    const brief = call['content.brief'] ?? 'Gong has no summary of this call.';
    const title = call['metaData.title'] ?? 'Call without a title';
    return `- **${text(title)}**, ${text(when)}, ${length}  \n  ${text(brief)}${key}`;
  });
  return ['From the summaries in Gong, latest first:', calls.join('\n')].join('\n\n');
}

async function summarizeMeetings({ timeZone }: Question, tools: Toolbox): Promise<string> {
  const connection = await connectionOf(tools, 'granola');
  if ('answer' in connection) return connection.answer;
  const notes = { connector_id: connection.id, entity: 'notes' };
  // Read live, because the import of a source that was connected just now is not complete.
  const latest = { ...notes, action: 'list', params: { page_size: maxMeetings }, fields: ['id'] };
  const meetings: string[] = [];
  for (const { id } of listOf(await use(tools, 'read', latest), 'records')) {
    const page = await use(tools, 'read', {
      ...notes,
      action: 'get',
      params: { note_id: String(id) },
      fields: ['title', 'created_at', 'summary_text'],
    });
    const [{ title, created_at: at, summary_text: summary } = {}] = listOf(page, 'records');
    const when = time(String(at), 'en', { ...shortTime, timeZone });
    meetings.push(
      `- **${text(title ?? 'Meeting without a title')}**, ${text(when)}  \n  ${text(summary ?? 'Granola has no summary of this meeting.')}`,
    );
  }
  if (meetings.length === 0) return 'Granola has no notes yet.';
  return ['From the notes in Granola, latest first:', meetings.join('\n')].join('\n\n');
}

function nothingYet(name: string, what: string): string {
  return `${name} has no ${what} to read yet. If it’s still importing, ask again in a minute.`;
}

const states: Readonly<Record<string, string>> = connectionWords;

async function listConnections(_question: Question, tools: Toolbox): Promise<string> {
  const sources = await use(tools, 'list_sources', {});
  const connections = listOf(sources, 'connections');
  const nameOf = (key: unknown) =>
    listOf(sources, 'sources').find(({ source }) => source === key)?.['name'] ?? key;
  const others = listOf(sources, 'sources').filter(
    ({ source }) => !connections.some(connection => connection['source'] === source),
  );
  const links = others.map(({ source, name }) => link(String(name), `#connections/${String(source)}`));
  const offer = links.length === 0 ? [] : [`You can also connect ${links.join(', ')}.`];
  if (connections.length === 0) return ['No source is connected yet.', ...offer].join(' ');
  const rows = connections.map(({ source, name, state, sync }) => [
    text(nameOf(source)),
    text(name),
    text(states[String(state)] ?? state),
    sync === 'ready' ? 'Complete' : 'In progress',
  ]);
  return [
    `Your ${countOf(connections.length, 'connection')}:`,
    table(['Source', 'Name', 'State', 'Import'], rows),
    ...offer,
  ].join('\n\n');
}

/** Returns the first connection of a source that works, or the answer if there is none. */
async function connectionOf(
  tools: Toolbox,
  source: string,
): Promise<{ readonly id: unknown } | { readonly answer: string }> {
  const sources = await use(tools, 'list_sources', {});
  const all = listOf(sources, 'connections').filter(connection => connection['source'] === source);
  const working = all.find(({ state }) => state !== 'expired' && state !== 'paused');
  if (working) return { id: working['connector_id'] };
  const offered = listOf(sources, 'sources').find(each => each['source'] === source);
  if (!offered) return { answer: 'That needs a source that isn’t available here, or that you didn’t allow.' };
  const name = String(offered['name']);
  const page = `#connections/${source}`;
  return {
    answer:
      all.length === 0
        ? `${text(name)} isn’t connected yet, so I can’t answer that. ${link(`Connect ${name}`, page)}`
        : `The sign-in to ${text(name)} expired, so I can’t read it. ${link(`Reconnect ${name}`, page)}`,
  };
}

/** Calls a tool and returns its result. @throws AnswerError with what the tool reports. */
async function use(tools: Toolbox, name: string, args: Members): Promise<Members> {
  const { isError, content }: ToolResult = await tools.call(name, args);
  if (!isError) return content;
  throw new AnswerError(`The answer needs ${name}, which failed: ${messageOf(content)}`);
}

function countOf(count: number, noun: string): string {
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Members)[name] : undefined;
}
