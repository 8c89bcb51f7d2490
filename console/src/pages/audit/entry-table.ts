import type { AuditEntry } from '@connector-auth/api/admin';
import { html, type TemplateResult } from 'lit';
import { timeAgo } from '../../components/time.ts';
import { actionOf, actorOf, outcomeBadge } from './entry-words.ts';

/** Renders the entries of one connector. */
export function entryTable(entries: readonly AuditEntry[]): TemplateResult {
  return html`<table>
    <caption class="visually-hidden">
      Audit entries
    </caption>
    <thead>
      <tr>
        <th scope="col">Action</th>
        <th scope="col">By</th>
        <th scope="col">Outcome</th>
        <th scope="col" class="number">Records</th>
        <th scope="col">When</th>
      </tr>
    </thead>
    <tbody>
      ${entries.map(
        entry =>
          html`<tr>
            <th scope="row">${actionOf(entry)}</th>
            <td data-label="By" dir="auto">${actorOf(entry.actor)}</td>
            <td data-label="Outcome">${outcomeBadge(entry.outcome)}</td>
            <td data-label="Records" class="number">${entry.records?.toLocaleString('en') ?? '–'}</td>
            <td data-label="When">${timeAgo(entry.at)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
