import type { Integrator, SourceDefinitionDetail } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import { vendorNameOf } from '../flow/vendor-name.ts';
import type { Messages } from '../messages/messages.ts';
import { icons } from './icons.ts';
import { stepIcons } from './step-icons.ts';

/** Renders what a connection reads, changes and syncs, as far as the service describes it. */
export function accessList(
  definition: SourceDefinitionDetail,
  integrator: Integrator | undefined,
  messages: Messages,
): TemplateResult | typeof nothing {
  const claims = accessClaims(definition, integrator, messages);
  const included = includedData(definition, messages);
  return claims === nothing && included === nothing
    ? nothing
    : html`<div class="access" part="access">${claims}${included}</div>`;
}

/** Renders the rows of {@link accessList} without the data of each type. */
export function accessClaims(
  definition: SourceDefinitionDetail,
  integrator: Integrator | undefined,
  messages: Messages,
): TemplateResult | typeof nothing {
  const { access, sync_interval_minutes: interval } = definition;
  const owner = integrator?.name ?? '';
  const isReadOnly = access?.level === 'read';
  const claims = [
    access?.reads.length
      ? claim('good', icons.check, messages.reads(inWords(access.reads, messages, 'conjunction')))
      : nothing,
    // Only then does the service reject every change.
    isReadOnly
      ? claim(
          'good',
          stepIcons.never,
          messages.neverChanges(inWords(access.changes, messages, 'disjunction')),
          access.vendor_says && messages.vendorSays(vendorNameOf(definition), access.vendor_says, owner),
        )
      : nothing,
    access?.level === 'write' && access.changes.length
      ? claim(
          'warn',
          stepIcons.edit,
          messages.mayChange(inWords(access.changes, messages, 'conjunction'), owner),
        )
      : nothing,
    interval ? claim('', stepIcons.sync, messages.syncs(...unitsOf(interval))) : nothing,
  ].filter(row => row !== nothing);
  return claims.length
    ? html`<ul class="claims">
        ${claims}
      </ul>`
    : nothing;
}

/** Renders what is read of each type of data, in a disclosure. */
export function includedData(
  { entities = [] }: SourceDefinitionDetail,
  messages: Messages,
): TemplateResult | typeof nothing {
  const described = entities.filter(({ access }) => access);
  if (!described.length) return nothing;
  return html`<details class="included" part="entities">
    <summary part="heading">${messages.included}</summary>
    <ul>
      ${described.map(
        ({ title, access }) =>
          html`<li>
            <strong part="name" dir="auto">${title}</strong>
            <span class="hint" part="description" dir="auto">${access}</span>
          </li>`,
      )}
    </ul>
  </details>`;
}

function claim(
  kind: string,
  icon: TemplateResult,
  words: string,
  note: string | null = null,
): TemplateResult {
  return html`<li class="claim ${kind}">
    <span class="dot">${icon}</span>
    <span
      ><span part="access-row" dir="auto">${words}</span>
      ${note ? html`<span class="hint clamp" part="hint" dir="auto">${note}</span>` : nothing}</span
    >
  </li>`;
}

function inWords(things: readonly string[], { language }: Messages, type: Intl.ListFormatType): string {
  return new Intl.ListFormat(language, { type }).format(things);
}

/** Returns an interval in the largest unit of which it is a multiple. */
function unitsOf(minutes: number): [number, 'minute' | 'hour' | 'day'] {
  if (minutes % 1440 === 0) return [minutes / 1440, 'day'];
  return minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
}
