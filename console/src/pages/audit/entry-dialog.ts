import type { AuditEntry } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import type { FilterChoices } from '../../api/filter-choices.ts';
import { cell } from '../../components/cell.ts';
import { facts, pageLink } from '../../components/page-head.ts';
import { exactTime } from '../../components/time.ts';
import { actionOf, actorOf, actorTypes, outcomeBadge, targetOf } from './entry-words.ts';

/** The names that entries do not contain. */
interface Known {
  readonly choices: FilterChoices;
  /** The name of the entry's connector, if it still exists. */
  readonly connector: string | undefined;
}

/** Renders everything that an entry contains, in a dialog. */
export function entryDialog(entry: AuditEntry, known: Known, onClose: () => void): TemplateResult {
  return html`<dialog class="entry" aria-labelledby="entry-title" @close=${onClose}>
    <h2 id="entry-title">${actionOf(entry)}</h2>
    ${facts(factsOf(entry, known))}
    <div class="actions end"><button type="button" class="button" @click=${close}>Close</button></div>
  </dialog>`;
}

/** Closes the dialog around a button, which returns focus to where it was. */
function close({ currentTarget }: Event): void {
  // The handler is bound only to a button in the dialog.
  (currentTarget as HTMLElement).closest('dialog')?.close();
}

function factsOf(entry: AuditEntry, { choices, connector }: Known): readonly (readonly [string, unknown])[] {
  const { actor, organization_id, customer_name, connector_id, connector_type } = entry;
  const target = targetOf(entry);
  const all: readonly (readonly [string, unknown])[] = [
    ['Time', html`<time datetime=${entry.at}>${exactTime(entry.at)}</time>`],
    [
      'Outcome',
      html`${outcomeBadge(entry.outcome)} ${entry.outcome === 'ok' ? nothing : code(entry.outcome)}`,
    ],
    ['Action', code(entry.action)],
    ['Entity', entry.entity],
    ['Records', entry.records?.toLocaleString('en')],
    [
      'Actor',
      html`<span dir="auto">${actorOf(actor)}</span> <span class="muted">${actorTypes[actor.type]}</span>`,
    ],
    ['Actor ID', actor.id && pageLink(`/audit?actor_id=${encodeURIComponent(actor.id)}`, actor.id)],
    ['Token ID', actor.token_id && code(actor.token_id)],
    ['Organization', named(organization_id, choices.nameOfOrganization(organization_id), '/organizations/')],
    ['Customer', customer_name && html`<span dir="auto">${customer_name}</span>`],
    ['Kind', connector_type && choices.nameOfKind(connector_type)],
    ['Connector', named(connector_id, connector, '/connectors/')],
    [
      'Changed',
      target
        ? cell(pageLink(target.path, target.name), code(entry.target_id ?? ''))
        : entry.target_id === connector_id
          ? null
          : entry.target_id && code(entry.target_id),
    ],
    ['Request', entry.request_id && code(entry.request_id)],
    ['Address', entry.address && code(entry.address)],
    ['Entry', code(entry.id)],
  ];
  return all.filter(([, value]) => value !== null && value !== undefined && value !== '');
}

/** Renders the name of what an id belongs to as a link, with the id below it. Only the id if the name is unknown. */
function named(id: string | null, name: string | undefined, folder: string): TemplateResult | null {
  if (id === null) return null;
  const path = `${folder}${id}`;
  return name === undefined ? pageLink(path, id) : cell(pageLink(path, name), code(id));
}

function code(text: string): TemplateResult {
  return html`<code>${text}</code>`;
}
