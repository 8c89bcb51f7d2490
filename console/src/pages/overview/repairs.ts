import type { AdminConnector, HealthProblem } from '@connector-auth/api/admin';
import { html, type TemplateResult } from 'lit';
import { ApiError } from '../../api/api-error.ts';
import type { Call, CallInput } from '../../api/call.ts';
import { pageLink } from '../../components/page-head.ts';
import { table } from '../../components/table.ts';
import { count } from '../../components/time.ts';
import { customerOf } from '../connectors/connectors-page.ts';

type Problem = HealthProblem['problem'];
type Connector = Pick<AdminConnector, 'id' | 'name' | 'customer' | 'organization'>;
type Scope = Pick<NonNullable<CallInput<'listConnectors'>['query']>, 'organization_id'>;

/** What was done for a connector: the link with which its customer reconnects, if that is the repair, or an error. */
export type Repair = Connector & { readonly url: string | null; readonly error: string | null };

const pageSize = 100;
const concurrency = 4;

/** What the overview shows of each problem. */
export const problemTexts: Readonly<
  Record<
    Problem,
    {
      readonly title: (connectors: number) => string;
      readonly path: string;
      readonly action: string;
      /** What is being done. */
      readonly doing: string;
    }
  >
> = {
  needs_reauth: {
    title: connectors =>
      `${count(connectors, 'connector')} ${connectors === 1 ? 'needs' : 'need'} reconnecting`,
    path: '/connectors?status=needs_reauth',
    action: 'Create reconnect links…',
    doing: 'Creating reconnect links',
  },
  failing_sync: {
    title: connectors => `${count(connectors, 'connector')} can’t sync`,
    path: '/sync-jobs?state=failing',
    action: 'Retry all',
    doing: 'Retrying syncs',
  },
};

/** Returns what is wrong with how many connectors of a kind: “21 Google Ads sign-ins expired”. */
export function causeWords({ cause, title, connectors }: HealthProblem, kind: string): string {
  const number = connectors.toLocaleString('en');
  switch (cause) {
    case 'sign_in_expired':
      return `${number} ${kind} ${connectors === 1 ? 'sign-in' : 'sign-ins'} expired`;
    case 'credentials_rejected':
      return `${number} ${kind} ${connectors === 1 ? 'key' : 'keys'} rejected`;
    default:
      return `${number} ${kind}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
  }
}

/**
 * Repairs every connector with a problem, a few at a time, until the signal aborts. A connector that cannot be repaired
 * stops no other.
 */
export async function repairAll(
  call: Call,
  problem: Problem,
  scope: Scope,
  {
    signal,
    onProgress,
  }: { readonly signal: AbortSignal; readonly onProgress: (done: number, total: number) => void },
): Promise<readonly Repair[]> {
  // Repairing changes the list.
  const connectors = await listAffected(call, problem, scope, signal);
  const repairs: Repair[] = [];
  const left = connectors.entries();
  let done = 0;
  onProgress(done, connectors.length);
  const work = async (): Promise<void> => {
    for (const [index, connector] of left) {
      repairs[index] = await repair(call, problem, connector, signal);
      signal.throwIfAborted();
      done += 1;
      onProgress(done, connectors.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return repairs;
}

async function listAffected(
  call: Call,
  problem: Problem,
  scope: Scope,
  signal: AbortSignal,
): Promise<readonly Connector[]> {
  const connectors = new Map<string, Connector>();
  let cursor: string | undefined;
  do {
    const query = { ...scope, limit: pageSize, cursor };
    const { data, meta } =
      problem === 'needs_reauth'
        ? await call('listConnectors', { query: { ...query, status: problem }, signal })
        : await call('listSyncJobs', { query: { ...query, state: 'failing' }, signal });
    for (const item of data) {
      const { id, name } = 'connector' in item ? item.connector : item;
      connectors.set(id, { id, name, customer: item.customer, organization: item.organization });
    }
    cursor = meta.has_more ? (meta.cursor ?? undefined) : undefined;
  } while (cursor !== undefined);
  return [...connectors.values()];
}

async function repair(
  call: Call,
  problem: Problem,
  connector: Connector,
  signal: AbortSignal,
): Promise<Repair> {
  const input = { params: { connector_id: connector.id }, signal };
  try {
    if (problem === 'needs_reauth') {
      const { url } = await call('createReconnectLink', input);
      return { ...connector, url, error: null };
    }
    await call('resyncConnector', input);
    return { ...connector, url: null, error: null };
  } catch (error) {
    return { ...connector, url: null, error: ApiError.of(error).message };
  }
}

/** Renders the links, which can be copied one by one or as a table, and the errors. */
export function repairTable(caption: string, repairs: readonly Repair[]): TemplateResult {
  return table({
    caption,
    items: repairs,
    columns: [
      { label: 'Customer', cell: customerOf },
      { label: 'Connector', cell: ({ id, name }) => pageLink(`/connectors/${id}`, name) },
      {
        label: 'Result',
        cell: ({ url, error, customer }) =>
          url === null
            ? html`<span class="muted">${error}</span>`
            : html`<console-copy .text=${url} what="link for ${customer.name}"></console-copy>`,
      },
    ],
  });
}

/** Returns the links as lines that spreadsheets and mail merges read. */
export function linesOf(repairs: readonly Repair[]): string {
  return repairs
    .flatMap(({ url, customer, name }) => (url === null ? [] : [[customer.name, name, url].join('\t')]))
    .join('\n');
}
