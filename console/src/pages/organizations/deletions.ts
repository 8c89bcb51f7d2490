import type { OrganizationDeletion } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { Loader } from '../../api/loader.ts';
import { poll } from '../../api/polling.ts';
import { badge } from '../../components/cell.ts';
import { icons } from '../../components/icons.ts';
import { listPage } from '../../components/list-page.ts';
import { loaded, notice } from '../../components/notice.ts';
import { facts, idWithCopy, pageHead, pageLink, section } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { count, pointInTime, timeAgo } from '../../components/time.ts';

const pollMs = 3_000;

/** `/organizations/deletions`: the receipts of deleted organizations, newest first. */
export const DeletionsPage = listPage('listOrganizationDeletions', () => ({
  title: 'Deleted organizations',
  lead: 'A receipt contains no names: keep the ID of an organization to find it.',
  parent: { path: '/organizations', label: 'Organizations' },
  columns: [
    {
      label: 'Organization ID',
      cell: ({ organization_id: id }) => pageLink(`/organizations/deletions/${id}`, id),
    },
    { label: 'Status', cell: ({ status }) => deletionBadge(status) },
    { label: 'Connectors', isNumber: true, cell: ({ deleted }) => countOf(deleted['connectors']) },
    { label: 'Records', isNumber: true, cell: ({ deleted }) => countOf(deleted['records']) },
    { label: 'Requested', cell: ({ requested_at: at }) => timeAgo(at) },
  ],
  empty: {
    icon: icons.organizations,
    title: 'No deleted organizations',
    hint: 'When you delete an organization, its receipt appears here.',
  },
}));

/** `/organizations/deletions/:organization`: the progress of a deletion, then its receipt. */
export class DeletionPage extends Page {
  #deletion = new Loader<OrganizationDeletion>(this, () =>
    this.app.call('getOrganizationDeletion', {
      params: { organization_id: this.params['organization'] ?? '' },
    }),
  );

  constructor() {
    super();
    poll(this, pollMs, () =>
      this.#deletion.value?.status === 'deleting' ? this.#deletion.reload() : undefined,
    );
  }

  protected override render(): TemplateResult {
    const deletion = this.#deletion.value;
    return html`${pageHead({
      title: 'Organization deletion',
      parent: { path: '/organizations/deletions', label: 'Deleted organizations' },
      badge: deletion ? deletionBadge(deletion.status) : nothing,
    })}
    ${loaded(this.#deletion, content)}`;
  }
}

function content(deletion: OrganizationDeletion): TemplateResult {
  const { grants, deleted, erased_audit_entries: erased } = deletion;
  return html`${stateNotice(deletion)}
  ${section(
    'Receipt',
    facts([
      ['Organization ID', idWithCopy(deletion.organization_id, 'organization ID')],
      ['Requested', pointInTime(deletion.requested_at)],
      ['Requested by', html`<span dir="auto">${deletion.requested_by}</span>`],
      ['Finished', pointInTime(deletion.finished_at, 'Not yet')],
    ]),
    { lead: 'Contains nothing about customers, so you can keep it.' },
  )}
  ${section(
    'Deleted',
    facts([
      ...Object.entries(deleted)
        .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
        .map(([table, number]) => [wordsOf(table), countOf(number)] as const),
      ['Audit entries without names', countOf(erased)],
    ]),
    { lead: 'The number of rows, by what they contained.' },
  )}
  ${section(
    'Grants at vendors',
    facts([
      ['Revoked', countOf(grants.revoked)],
      ['Trying', countOf(grants.pending)],
      ['In use elsewhere', countOf(grants.in_use)],
      ['No longer valid', countOf(grants.invalid)],
      ['Not revoked', countOf(grants.failed)],
    ]),
    { lead: 'Customers revoke API keys themselves: most vendors offer no other way.' },
  )}`;
}

function stateNotice({ status, grants }: OrganizationDeletion): TemplateResult | typeof nothing {
  if (grants.failed > 0) {
    return notice({
      tone: 'warn',
      title: `${count(grants.failed, 'grant')} couldn’t be revoked`,
      text: 'The vendors didn’t accept the request within two days. Their copies here are deleted.',
    });
  }
  if (status === 'deleted') return nothing;
  return notice({
    tone: 'info',
    title: 'Deleting in the background',
    text:
      grants.pending > 0
        ? 'The organization can’t be used any more. Its OAuth apps stay until the vendors have revoked its grants, for up to two days.'
        : 'The organization can’t be used any more. This page updates automatically.',
  });
}

/** Renders whether a deletion is finished. */
function deletionBadge(status: OrganizationDeletion['status']): TemplateResult {
  return status === 'deleted' ? badge('Deleted', 'neutral') : badge('Deleting', 'warn');
}

function countOf(number = 0): string {
  return number.toLocaleString('en');
}

/** Returns the name of a table as words, such as “Connect links”. */
function wordsOf(table: string): string {
  const words = table.replaceAll('_', ' ').replace('oauth', 'OAuth');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
