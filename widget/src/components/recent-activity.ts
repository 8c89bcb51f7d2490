import type { ActivityEntry, AuditAction } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import type { Catalog } from '../flow/flow.ts';
import type { Messages } from '../messages/messages.ts';
import { timeSince } from '../messages/relative-time.ts';
import { ticking } from './ticking.ts';

/** The number of entries that are shown at first. */
const shown = 5;

/** Renders what happened to a connector most recently, or nothing if that is unknown. */
export function recentActivity(
  entries: readonly ActivityEntry[],
  { integrator }: Catalog,
  messages: Messages,
): TemplateResult | typeof nothing {
  const known = combine(entries.filter(({ action }) => wordsFor(action, messages)));
  if (!known.length) return nothing;
  const actors = {
    customer: messages.actorYou,
    integrator: integrator?.name ?? messages.actorIntegrator,
    operator: messages.actorSupport,
    sync: messages.actorSync,
  };
  return html`<section class="block">
    <h3 part="heading">${messages.activityHeading}</h3>
    <ul class="lines" part="activity">
      ${known.slice(0, shown).map(renderEntry)}
    </ul>
    ${
      known.length > shown
        ? html`<details part="activity">
            <summary part="heading">${messages.earlierActivity}</summary>
            <ul class="lines">
              ${known.slice(shown).map(renderEntry)}
            </ul>
          </details>`
        : nothing
    }
  </section>`;

  function renderEntry({ at, actor, action, outcome, records }: ActivityEntry): TemplateResult {
    return html`<li class="line entry" part="activity-entry">
      <div class="line-text">
        <span class="line-title"
          >${wordsFor(action, messages)}${
            outcome === 'ok' && action === 'sync' && records ? ` · ${messages.records(records)}` : nothing
          }${outcome === 'ok' ? nothing : [' · ', html`<span class="failed">${messages.failed}</span>`]}</span
        >
        <span class="line-note"
          ><span><bdi>${actors[actor]}</bdi></span
          ><span>${ticking(at, messages, timeSince(at, messages))}</span></span
        >
      </div>
    </li>`;
  }
}

/** Combines entries in a row that differ only in the time, the type of data and the number of records. */
function combine(entries: readonly ActivityEntry[]): readonly ActivityEntry[] {
  const combined: ActivityEntry[] = [];
  for (const entry of entries) {
    const last = combined.at(-1);
    const isSame =
      last?.actor === entry.actor &&
      wordKeys[last.action] === wordKeys[entry.action] &&
      (last.outcome === 'ok') === (entry.outcome === 'ok');
    if (!last || !isSame) combined.push(entry);
    else combined[combined.length - 1] = { ...last, records: (last.records ?? 0) + (entry.records ?? 0) };
  }
  return combined;
}

/** Maps the actions that concern users to messages. */
const wordKeys = {
  'connector.created': 'statusActive',
  'connector.reconnected': 'didReconnect',
  'connector.updated': 'didChange',
  'connector.sync_requested': 'didRequestSync',
  'connector.disabled': 'statusPaused',
  'connector.enabled': 'didResume',
  'grant.refreshed': 'didRenew',
  sync: 'didSync',
  check: 'didCheck',
  list: 'didRead',
  get: 'didRead',
  search: 'didRead',
  create: 'didWrite',
  update: 'didWrite',
} as const satisfies Partial<Record<AuditAction, keyof Messages>> as Readonly<
  Record<string, WordKey | undefined>
>;

type WordKey =
  | 'statusActive'
  | 'statusPaused'
  | `did${'Reconnect' | 'Change' | 'RequestSync' | 'Resume' | 'Renew' | 'Sync' | 'Check' | 'Read' | 'Write'}`;

function wordsFor(action: string, messages: Messages): string | undefined {
  const key = wordKeys[action];
  return key && messages[key];
}
