import type { AdminConnector, HealthProblem } from '@connector-auth/api/admin';
import { html, type TemplateResult } from 'lit';
import { ApiError } from '../../api/api-error.ts';
import type { Call, CallInput } from '../../api/call.ts';
import { cell } from '../../components/cell.ts';
import { pageLink } from '../../components/page-link.ts';
import { table } from '../../components/table.ts';
import { count } from '../../components/time.ts';

/** A link with which a customer reconnects, or why there is none. */
export type ReconnectLink = Pick<AdminConnector, 'id' | 'name' | 'customer' | 'organization'> &
  ({ readonly url: string } | { readonly url: null; readonly reason: string });

type Scope = Pick<NonNullable<CallInput<'listConnectors'>['query']>, 'organization_id'>;

const pageSize = 100;

/** What the overview shows of each problem. */
export const problemTexts: Readonly<
  Record<
    HealthProblem['problem'],
    { readonly title: (connectors: number) => string; readonly path: string; readonly action: string }
  >
> = {
  needs_reauth: {
    title: connectors =>
      `${count(connectors, 'connector')} ${connectors === 1 ? 'needs' : 'need'} reconnecting`,
    path: '/connectors?status=needs_reauth',
    action: 'Create reconnect links…',
  },
  failing_sync: {
    title: connectors => `${count(connectors, 'connector')} can’t sync`,
    path: '/sync-jobs?state=failing',
    action: 'Retry all',
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

/** Creates a link for every connector that needs reconnecting. A connector for which there can be none stops no other. */
export async function createLinks(call: Call, scope: Scope): Promise<readonly ReconnectLink[]> {
  const links: ReconnectLink[] = [];
  let cursor: string | undefined;
  do {
    const query = { ...scope, status: 'needs_reauth', limit: pageSize, cursor } as const;
    const { data, meta } = await call('listConnectors', { query });
    for (const { id, name, customer, organization } of data) {
      const connector = { id, name, customer, organization };
      try {
        const { url } = await call('createReconnectLink', { params: { connector_id: id } });
        links.push({ ...connector, url });
      } catch (error) {
        links.push({ ...connector, url: null, reason: ApiError.of(error).message });
      }
    }
    cursor = meta.has_more ? (meta.cursor ?? undefined) : undefined;
  } while (cursor !== undefined);
  return links;
}

/** Retries every sync that fails, and returns how many connectors there were. */
export async function retrySyncs(call: Call, scope: Scope): Promise<number> {
  const connectors = new Set<string>();
  let cursor: string | undefined;
  do {
    const query = { ...scope, state: 'failing', limit: pageSize, cursor } as const;
    const { data, meta } = await call('listSyncJobs', { query });
    for (const { connector } of data) connectors.add(connector.id);
    cursor = meta.has_more ? (meta.cursor ?? undefined) : undefined;
  } while (cursor !== undefined);
  // Retrying changes the list.
  for (const id of connectors) await call('resyncConnector', { params: { connector_id: id } });
  return connectors.size;
}

/** Renders the links, which can be copied one by one or as a table. */
export function linkTable(links: readonly ReconnectLink[]): TemplateResult {
  return table({
    caption: 'Reconnect links',
    items: links,
    columns: [
      {
        label: 'Customer',
        cell: ({ customer, organization }) =>
          cell(pageLink(`/customers/${customer.id}`, customer.name), organization.name),
      },
      { label: 'Connector', cell: ({ id, name }) => pageLink(`/connectors/${id}`, name) },
      {
        label: 'Link',
        cell: link =>
          link.url === null
            ? html`<span class="muted">${link.reason}</span>`
            : html`<console-copy .text=${link.url} what="link for ${link.customer.name}"></console-copy>`,
      },
    ],
  });
}

/** Returns the links as lines that spreadsheets and mail merges read. */
export function linesOf(links: readonly ReconnectLink[]): string {
  return links
    .flatMap(link => (link.url === null ? [] : [[link.customer.name, link.name, link.url].join('\t')]))
    .join('\n');
}
