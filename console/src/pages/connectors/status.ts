import type { AdminConnector } from '@connector-auth/api/admin';
import { html, type TemplateResult } from 'lit';
import { badge, type Tone } from '../../components/badge.ts';
import { pageLink } from '../../components/page-link.ts';
import { timeAgo } from '../../components/time.ts';

type Status = AdminConnector['status'];

const badges: Readonly<Record<Status, readonly [label: string, tone: Tone]>> = {
  active: ['Active', 'good'],
  needs_reauth: ['Needs reconnecting', 'warn'],
  disabled: ['Disabled', 'bad'],
  frozen: ['Frozen', 'bad'],
};

/** The statuses with their labels, for filters. */
export const connectorStatuses = Object.entries(badges).map(([status, [label]]) => [status, label] as const);

/** Returns the words for a connector's status. */
export function statusWords(status: Status): string {
  return badges[status][0];
}

/** Renders a connector's status. An active one whose sync fails is not shown as good. */
export function connectorBadge(status: Status, isFailing: boolean): TemplateResult {
  return status === 'active' && isFailing ? badge('Sync failing', 'warn') : badge(...badges[status]);
}

/** What a connector's status means and what to do about it. Null if the connector works. */
export function adviceOn(
  connector: AdminConnector,
  kindName: string,
): { readonly tone: 'bad' | 'warn'; readonly title: string; readonly text: TemplateResult } | null {
  switch (connector.status) {
    case 'active':
      return null;
    case 'needs_reauth':
      return {
        tone: 'warn',
        title: `Needs reconnecting: ${kindName} no longer accepts the stored sign-in or key`,
        text: html`Ask the customer to open the widget and choose Reconnect. Executes and syncs fail until
        then; synced records stay searchable.`,
      };
    case 'disabled':
      return {
        tone: 'bad',
        title: 'An operator disabled this connector',
        text: html`It was disabled ${timeAgo(connector.disabled_at, 'earlier')}. Every use is rejected and
        nothing syncs. Enable it once it’s safe to use again.`,
      };
    case 'frozen':
      return {
        tone: 'bad',
        title: 'An incident froze this connector',
        text: html`Every use is rejected and nothing syncs.
        ${
          connector.incident_id === null
            ? 'The incident'
            : pageLink(`/incidents/${connector.incident_id}`, 'The incident')
        }
        shows whether ${kindName} has revoked its grant. Undo it to allow the connector again.`,
      };
  }
}
