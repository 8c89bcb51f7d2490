import type { Agent } from '@connector-auth/api';
import type { TemplateResult } from 'lit';
import type { State, StateOf } from '../flow/flow.ts';
import type { AgentState } from '../flow/next.ts';
import { agentWords } from '../messages/agent-words.ts';
import type { Messages } from '../messages/messages.ts';
import styles from '../styles/agents.css?inline';
import type { AgentTools } from './agent-tools.ts';
import type { RenderContext } from './render-context.ts';

export { runAgentEffect } from '../controller/agent-effects.ts';
export { nextInAgents } from '../flow/next-in-agents.ts';

/** The states in which the user has copied the address. */
const copied = new WeakSet<State>();
const styleSheet = new CSSStyleSheet();
styleSheet.replaceSync(styles);

/** Renders the apps and agents that people have authorized, with the address to add to others. */
export function agentsScreen(
  state: Exclude<AgentState, { readonly name: 'openingAgents' }>,
  context: RenderContext,
  tools: AgentTools,
): TemplateResult {
  const { messages, send, sends, host } = context;
  const { html } = tools;
  const words = agentWords(messages);
  const { catalog } = state;
  // Lit's default render root is a shadow root.
  const { adoptedStyleSheets } = host.renderRoot as ShadowRoot;
  if (!adoptedStyleSheets.includes(styleSheet)) adoptedStyleSheets.push(styleSheet);
  if (state.name !== 'agents') return renderConfirmation(state);
  const { agents, cameFrom, ended } = state;
  const mayEnd = catalog.rights?.management.includes('delete') ?? true;
  return html`<div class="screen agents">
    ${tools.backButton(messages.back, sends('back'), cameFrom || ended ? '' : 'target')}
    ${ended ? html`<p class="ended target" part="status" tabindex="-1">${words.revoked(accessOf(ended, messages))}</p>` : ''}
    ${
      agents.length > 0
        ? html`${tools.screenHead(messages.agentsTitle, words.lead)}
            <ul class="lines" part="agents">
              ${agents.map(renderAgent)}
            </ul>
            <section class="block">
              <h3 part="heading">${words.addTitle}</h3>
              <p class="hint" part="hint">${words.addHint}</p>
              ${renderAddress()}
            </section>`
        : tools.emptyState({
            icon: tools.icons.plug,
            title: words.emptyTitle,
            hint: words.addHint,
            action: renderAddress(),
          })
    }
  </div>`;

  function renderAgent(agent: Agent): TemplateResult {
    const { id, client, user, scopes, allowed_sources: sources, last_used_at, expires_at } = agent;
    const access = accessOf(agent, messages);
    const used = words.lastUsed(tools.timeSince(last_used_at, messages));
    const ends = words.ends(untilEnd(expires_at));
    const rights = scopes.map(scope => words.scopes[scope]);
    const names = sources?.map(
      key => catalog.definitions.find(({ connectorType }) => connectorType === key)?.name ?? key,
    );
    return html`<li class="line" part="agent">
      ${tools.sourceIcon(access, undefined)}
      <div class="line-text">
        <span class="line-title" part="name" dir="auto">${nameOf(agent, messages)}</span>
        ${client.name === null ? '' : html`<span dir="auto">${words.claims(`\u2068${client.name}\u2069`)}</span>`}
        <span dir="auto">${words.by(personOf(user, agents))}</span>
        <span class="rights">${rights.join(' · ')}</span>
        ${names ? html`<span dir="auto">${words.only(names.join(', '))}</span>` : ''}
        <span
          >${tools.ticking(last_used_at, messages, used)} · ${tools.ticking(expires_at, messages, ends)}</span
        >
      </div>
      ${
        mayEnd
          ? html`<button
              type="button"
              class="button quiet ${cameFrom?.id === id ? 'target' : ''}"
              part="revoke-button"
              aria-label=${`${words.revoke}: ${access}`}
              @click=${() => {
                send({ type: 'endAgent', agentId: id });
              }}
            >
              ${words.revoke}
            </button>`
          : ''
      }
    </li>`;
  }

  /** Counts in days, which is how people have chosen the end. */
  function untilEnd(time: string): string {
    const days = Math.round((Date.parse(time) - Date.now()) / 86_400_000);
    return days > 1
      ? new Intl.RelativeTimeFormat(messages.language).format(days, 'day')
      : tools.timeUntil(time, messages);
  }

  /** Renders the address of the MCP server, which users copy into another app. */
  function renderAddress(): TemplateResult {
    const url = catalog.mcpUrl ?? '';
    return html`<div class="address">
      <textarea
        class="url"
        part="input"
        dir="ltr"
        readonly
        aria-label=${words.address}
        .value=${url}
        @focus=${({ target }: Event) => {
          // Only the field has this handler.
          (target as HTMLTextAreaElement).select();
        }}
      ></textarea>
      <button type="button" class="button" part="copy-button" @click=${() => void copy(url)}>
        ${copied.has(state) ? messages.linkCopied : messages.copyLink}
      </button>
    </div>`;
  }

  async function copy(url: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(url);
      copied.add(state);
      context.announce(messages.linkCopied);
    } catch {
      // The page may not write to the clipboard. The user can copy the selected text.
      host.renderRoot.querySelector<HTMLTextAreaElement>('.url')?.focus();
    }
  }

  function renderConfirmation({
    name: stateName,
    agent,
    ...state
  }: StateOf<'confirmingAgent' | 'endingAgent'>): TemplateResult {
    const access = accessOf(agent, messages);
    const isBusy = stateName === 'endingAgent';
    const failure = 'failure' in state ? state.failure : null;
    const parties = { source: access, integrator: catalog.integrator };
    return html`<div class="screen">
      ${tools.confirmDialog({
        icon: tools.sourceIcon(access, undefined, 'large'),
        title: words.revokeTitle(access),
        hint: words.revokeHint(agent.user.name),
        label: words.revoke,
        onConfirm: sends('confirm'),
        onCancel: sends('back'),
        messages,
        notice: tools.failureNotice(failure, messages, parties, words.notRevoked),
        isBusy,
      })}
    </div>`;
  }
}

/** Returns what identifies an agent: what it says about itself could be anything. */
function nameOf({ client }: Agent, messages: Messages): string {
  return client.host ?? agentWords(messages).onDevice;
}

/** Returns what identifies an access: several people can have allowed the same app, and one person several on a device. */
function accessOf(agent: Agent, messages: Messages): string {
  const { client, user } = agent;
  const claimed = client.host === null && client.name !== null ? [client.name] : [];
  return `${nameOf(agent, messages)} (${[...claimed, user.name].map(name => `\u2068${name}\u2069`).join(', ')})`;
}

/** Returns a person's name, with the integrator's id if someone else has the same name. */
function personOf({ id, name }: Agent['user'], agents: readonly Agent[]): string {
  return agents.some(({ user }) => user.name === name && user.id !== id) ? `${name} (${id})` : name;
}
