/** Answers a few questions from live results, so that the chat works without a language model. */
import { connectionWords } from '@connector-auth/api/connection-state';
import { minutes, money, percent, time } from '../page/format.ts';
import { AnswerError } from './answer-error.ts';
import { lastWeek } from './last-week.ts';
import { link, table, text } from './markdown.ts';
import { suggestions, type Model, type Question } from './model.ts';
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
  { words: [/\bcampaigns?\b/, /\b(?:run|running)\b/, /\btiktok\b/], run: listTikTokCampaigns },
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

const maxAccounts = 5;
const maxCampaigns = 5;

async function compareSpend({ now, timeZone }: Question, tools: Toolbox): Promise<string> {
  const connections = await connectionsOf(tools, 'google-ads');
  if (typeof connections === 'string') return connections;
  const week = lastWeek(now, timeZone);
  const period = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).formatRange(
    Date.parse(week.first),
    Date.parse(week.last),
  );
  const answers: string[] = [];
  for (const { connector_id: id } of connections) {
    const accounts = await use(tools, 'search', {
      connector_id: id,
      entity: 'accounts',
      filter: { eq: { 'segments.date': null, 'customer.manager': false } },
      fields: ['customer.id', 'customer.descriptive_name', 'customer.currency_code'],
      sort: ['customer.descriptive_name'],
      limit: maxAccounts,
    });
    const found = listOf(accounts, 'records');
    if (found.length === 0) {
      answers.push('Google Ads has no accounts to read yet. If it’s still importing, ask again in a minute.');
    }
    for (const account of found) {
      const campaigns = await use(tools, 'read', {
        connector_id: id,
        entity: 'campaigns',
        action: 'list',
        params: {
          customer_id: String(account['customer.id']),
          query: `SELECT campaign.name, metrics.cost_micros FROM campaign WHERE segments.date BETWEEN '${week.first}' AND '${week.last}' AND metrics.cost_micros > 0 ORDER BY metrics.cost_micros DESC`,
        },
        fields: ['campaign.name', 'metrics.costMicros'],
      });
      answers.push(describeSpend(account, campaigns, period));
    }
    if (accounts['next_cursor']) answers.push(`There are more accounts. I read the first ${maxAccounts}.`);
  }
  return answers.join('\n\n');
}

function describeSpend(account: Members, page: Members, period: string): string {
  const name = account['customer.descriptive_name'] ?? account['customer.id'];
  const currency = account['customer.currency_code'];
  const amount = (spend: number) => text(money(spend, typeof currency === 'string' ? currency : null, 'en'));
  const campaigns = listOf(page, 'records').map(({ campaign, metrics }) => ({
    name: memberOf(campaign, 'name') ?? 'Campaign without a name',
    spend: Number(memberOf(metrics, 'costMicros') ?? 0) / 1_000_000,
  }));
  const [first] = campaigns;
  if (!first) return `No campaign of **${text(name)}** spent anything last week (${text(period)}).`;
  const total = campaigns.reduce((sum, { spend }) => sum + spend, 0);
  // The total is only known if the page contains every campaign.
  const isComplete = page['next_cursor'] === null;
  const whole = isComplete ? ` of ${amount(total)} in ${countOf(campaigns.length, 'campaign')}` : '';
  const rows = campaigns.slice(0, maxCampaigns).map(({ name, spend }) => {
    const share = isComplete ? [text(percent(spend / total, 'en'))] : [];
    return [text(name), amount(spend), ...share];
  });
  return [
    `**${text(first.name)}** spent most last week (${text(period)}): **${amount(first.spend)}**${whole} of ${text(name)}.`,
    table(['Campaign', 'Spend:', ...(isComplete ? ['Share:'] : [])], rows),
  ].join('\n\n');
}

/** Gong sends times with different offsets, by whose text search sorts, so the latest calls are among these. */
const maxRead = 30;
const maxCalls = 5;
const callTime = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;

async function summarizeCalls({ now, timeZone }: Question, tools: Toolbox): Promise<string> {
  const connections = await connectionsOf(tools, 'gong');
  if (typeof connections === 'string') return connections;
  const found: Members[] = [];
  for (const { connector_id: id } of connections) {
    const page = await use(tools, 'search', {
      connector_id: id,
      entity: 'calls_extensive',
      filter: { lte: { startdatetime: now.toISOString() } },
      sort: ['-startdatetime'],
      fields: ['startdatetime', 'metaData.title', 'metaData.duration', 'content.brief', 'content.keyPoints'],
      limit: maxRead,
    });
    found.push(...listOf(page, 'records'));
  }
  const startOf = (call: Members) => String(call['startdatetime']);
  const latest = found
    .toSorted((one, other) => Date.parse(startOf(other)) - Date.parse(startOf(one)))
    .slice(0, maxCalls);
  if (latest.length === 0)
    return 'Gong has no calls to read yet. If it’s still importing, ask again in a minute.';
  const calls = latest.map(call => {
    const when = time(startOf(call), 'en', { ...callTime, timeZone });
    const length = minutes(Number(call['metaData.duration'] ?? 0));
    const points = listOf(call, 'content.keyPoints').map(point => String(point['text']));
    const key = points.length === 0 ? '' : ` ${text(`Key points: ${points.join('; ')}.`)}`;
    const brief = call['content.brief'] ?? 'Gong has no summary of this call.';
    const title = call['metaData.title'] ?? 'Call without a title';
    return `- **${text(title)}**, ${text(when)}, ${length}  \n  ${text(brief)}${key}`;
  });
  return ['From the summaries in Gong, latest first:', calls.join('\n')].join('\n\n');
}

const maxMeetings = 3;

async function summarizeMeetings({ timeZone }: Question, tools: Toolbox): Promise<string> {
  const connections = await connectionsOf(tools, 'granola');
  if (typeof connections === 'string') return connections;
  // Read live, because the import of a source that was connected just now is not complete.
  const found: { readonly connection: string; readonly note: Members }[] = [];
  for (const { connector_id: id } of connections) {
    const latest = { connector_id: id, entity: 'notes', action: 'list', params: { page_size: maxMeetings } };
    const notes = listOf(await use(tools, 'read', { ...latest, fields: ['id', 'created_at'] }), 'records');
    found.push(...notes.map(note => ({ connection: String(id), note })));
  }
  const timeOf = ({ note }: { readonly note: Members }) => Date.parse(String(note['created_at']));
  const last = found.toSorted((one, other) => timeOf(other) - timeOf(one)).slice(0, maxMeetings);
  if (last.length === 0) return 'Granola has no notes yet.';
  const meetings: string[] = [];
  for (const { connection, note } of last) {
    const page = await use(tools, 'read', {
      connector_id: connection,
      entity: 'notes',
      action: 'get',
      params: { note_id: String(note['id']) },
      fields: ['title', 'created_at', 'summary_text'],
    });
    const [{ title, created_at: at, summary_text: summary } = {}] = listOf(page, 'records');
    const when = time(String(at), 'en', { ...callTime, timeZone });
    meetings.push(
      `- **${text(title ?? 'Meeting without a title')}**, ${text(when)}  \n  ${text(summary ?? 'Granola has no summary of this meeting.')}`,
    );
  }
  return ['From the notes in Granola, latest first:', meetings.join('\n')].join('\n\n');
}

async function listTikTokCampaigns(_question: Question, tools: Toolbox): Promise<string> {
  const connections = await connectionsOf(tools, 'tiktok-marketing');
  if (typeof connections === 'string') return connections;
  const found: Members[] = [];
  for (const { connector_id: id } of connections) {
    const page = await use(tools, 'search', {
      connector_id: id,
      entity: 'campaigns',
      filter: { eq: { operation_status: 'ENABLE' } },
      sort: ['-create_time'],
      fields: ['campaign_name', 'objective_type', 'create_time'],
      limit: maxCampaigns,
    });
    found.push(...listOf(page, 'records'));
  }
  if (found.length === 0)
    return 'No campaign is running on TikTok. If it’s still importing, ask again in a minute.';
  const rows = found
    .toSorted((one, other) => String(other['create_time']).localeCompare(String(one['create_time'])))
    .slice(0, maxCampaigns)
    .map(({ campaign_name: name, objective_type: objective, create_time: created }) => [
      text(name ?? 'Campaign without a name'),
      text((typeof objective === 'string' ? objective : '').toLowerCase().replaceAll('_', ' ')),
      text(String(created).slice(0, 10)),
    ]);
  return [
    'These campaigns are switched on, the newest first:',
    table(['Campaign', 'Objective', 'Created'], rows),
  ].join('\n\n');
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
  const offer =
    others.length === 0
      ? []
      : [
          `You can also connect ${others.map(({ source, name }) => link(String(name), `#connections/${String(source)}`)).join(', ')}.`,
        ];
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

/** Returns the connections of a source that work, or the answer if there are none. */
async function connectionsOf(tools: Toolbox, source: string): Promise<readonly Members[] | string> {
  const sources = await use(tools, 'list_sources', {});
  const all = listOf(sources, 'connections').filter(connection => connection['source'] === source);
  const working = all.filter(({ status }) => status === 'active');
  if (working.length > 0) return working;
  const offered = listOf(sources, 'sources').find(each => each['source'] === source);
  if (!offered) return 'That needs a source that isn’t available here.';
  const name = String(offered['name']);
  const page = `#connections/${source}`;
  return all.length === 0
    ? `${text(name)} isn’t connected yet, so I can’t answer that. ${link(`Connect ${name}`, page)}`
    : `The sign-in to ${text(name)} expired, so I can’t read it. ${link(`Reconnect ${name}`, page)}`;
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
