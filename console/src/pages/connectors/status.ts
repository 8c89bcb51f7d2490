import type { AdminConnector } from '@connector-auth/api/admin';
import { connectionTones, connectionWords } from '@connector-auth/api/connection-state';
import { html, type TemplateResult } from 'lit';
import { badge } from '../../components/cell.ts';
import { pageLink } from '../../components/page-head.ts';
import { timeAgo } from '../../components/time.ts';

const { expired, paused: _paused, unavailable, ...activeWords } = connectionWords;

/** What connectors can be filtered by: the states that lists show, and who paused the others. */
export const connectorStatuses = Object.entries({
  needs_reauth: expired,
  ...activeWords,
  disabled: 'Paused by an operator',
  frozen: 'Paused by an incident',
  unavailable,
});

/** Renders the state of a connector. */
export function connectorBadge({ state }: AdminConnector): TemplateResult {
  return badge(connectionWords[state], connectionTones[state]);
}

/** Returns who paused a connector; empty if it is not paused. */
export function pausedBy({ status }: AdminConnector): string {
  return status === 'frozen' ? 'By an incident' : status === 'disabled' ? 'By an operator' : '';
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
    case 'unavailable':
      return {
        tone: 'warn',
        title: `Not available: this service does not load the kind ${kindName}`,
        text: html`Nothing syncs, and every use is rejected. Credentials and records are kept. Name its
          package in <code>KINDS</code> and restart the service, or delete the connector.`,
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
