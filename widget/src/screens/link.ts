import { html, nothing, type TemplateResult } from 'lit';
import { backButton, button } from '../components/buttons.ts';
import { emptyState } from '../components/empty-state.ts';
import { icons } from '../components/icons.ts';
import { supportLink } from '../components/integrator.ts';
import { failureNotice, reference, retryButton } from '../components/notice.ts';
import { sourceIcon } from '../components/source-icon.ts';
import { spinner, stepIcons } from '../components/step-icons.ts';
import { ticking } from '../components/ticking.ts';
import type { Link, StateOf } from '../flow/flow.ts';
import { failureWords } from '../messages/failure-words.ts';
import { linkStatus } from '../messages/link-status.ts';
import { dayOf, timeOf } from '../messages/relative-time.ts';
import type { RenderContext } from './render-context.ts';

/** Renders a connect link with what happens to it, or why there is none. */
export class LinkScreen {
  /** The link that the user has copied. */
  #copied: Link | undefined;

  constructor(private readonly context: RenderContext) {}

  render(state: StateOf<'linking' | 'sharing' | 'cancelling' | 'unlinked'>): TemplateResult {
    const { messages, send } = this.context;
    const { definition } = state;
    const { integrator } = state.catalog;
    const title = messages.linkTitle((state.target ?? definition).name);
    const { name, iconUrl } = definition;
    const back = backButton(messages.back, () => {
      send({ type: 'back' });
    });
    if (state.name === 'unlinked')
      return html`<div class="screen">${back}${this.#renderFailure(state)}</div>`;
    const link = state.name === 'linking' ? undefined : state.link;
    const failure = state.name === 'sharing' ? state.failure : null;
    const cancel = () => {
      if (state.name === 'sharing') send({ type: 'cancelLink' });
    };
    const isOpened = state.name !== 'linking' && state.isOpened;
    const act = state.name === 'sharing' && state.isKept ? messages.linkNotCancelled : '';
    return html`<div class="screen ${link ? '' : 'pending'}">
      ${back}
      <div class="success" part="message">
        ${sourceIcon(name, iconUrl)}
        <span class="icon-circle" part="sign">${link && !isOpened ? stepIcons.link : spinner}</span>
        <h2 part="title" dir="auto">${isOpened ? linkStatus(state, messages) : title}</h2>
        <p class="lead" part="lead" dir="auto">
          ${isOpened ? messages.leaveHint : messages.linkLead(integrator?.name ?? '')}
        </p>
        ${
          isOpened
            ? nothing
            : html`<input
                  class="url ${link ? '' : 'skeleton'}"
                  part="input"
                  dir="ltr"
                  readonly
                  aria-label=${title}
                  .value=${link?.url ?? ''}
                  @focus=${selectAll}
                />
                <p class="hint" part="hint">${link ? this.#renderExpiry(link) : '\u00a0'}</p>`
        }
        ${failureNotice(failure, messages, { source: name, integrator }, act)}
      </div>
      <div class="footer" part="footer">
        ${
          isOpened
            ? nothing
            : html`${failure ? nothing : html`<p class="trust" part="status">${linkStatus(state, messages)}</p>`}
              ${this.#renderActions(link, title)}`
        }
        ${button(messages.cancelLink, cancel, {
          kind: isOpened ? '' : 'quiet',
          part: 'cancel-link-button',
          isBusy: state.name !== 'sharing',
        })}
      </div>
    </div>`;
  }

  #renderExpiry({ expires_at: time }: Link): TemplateResult {
    const { messages } = this.context;
    return ticking(time, messages, messages.linkExpires(dayOf(time, messages), timeOf(time, messages)));
  }

  #renderActions(link: Link | undefined, title: string): TemplateResult {
    return html`${this.#renderCopy(link)}${link && 'share' in navigator ? this.#renderShare(link, title) : nothing}`;
  }

  #renderCopy(link: Link | undefined): TemplateResult {
    const { messages } = this.context;
    const isCopied = link && link === this.#copied;
    return html`<button
      type="button"
      class="button primary ${link ? '' : 'incomplete'}"
      part="primary-button"
      aria-disabled=${!link}
      @click=${() => link && this.#copy(link)}
    >
      ${link ? (isCopied ? html`${icons.check}${messages.linkCopied}` : messages.copyLink) : html`${spinner}${messages.creatingLink}`}
    </button>`;
  }

  #renderShare({ url }: Link, title: string): TemplateResult {
    const { messages } = this.context;
    return button(messages.shareLink, () => {
      // It also rejects if the user closes the system's dialog.
      navigator.share({ title, url }).catch(() => {});
    });
  }

  async #copy(link: Link): Promise<void> {
    const { host, messages, announce } = this.context;
    try {
      await navigator.clipboard.writeText(link.url);
    } catch {
      // The page may not write to the clipboard. The user can copy the selected text.
      host.renderRoot.querySelector<HTMLInputElement>('.url')?.focus();
      return;
    }
    this.#copied = link;
    host.requestUpdate();
    announce(messages.linkCopied);
  }

  #renderFailure({ failure, catalog, definition }: StateOf<'unlinked'>): TemplateResult {
    const { messages, send } = this.context;
    const { integrator } = catalog;
    const parties = { source: definition.name, integrator };
    const { title, hint, isForSupport } = failureWords(failure, messages, parties);
    const isOver = failure.code.startsWith('link_');
    // Only the integrator can change that.
    const isUnavailable = failure.code === 'helper_url_missing';
    const retry = () => {
      send({ type: 'retry' });
    };
    return html`${emptyState({
      icon: isOver ? stepIcons.clock : isUnavailable ? stepIcons.link : icons.alert,
      title: isUnavailable ? messages.linksUnavailable : title,
      hint: isOver ? messages.nothingSaved : hint,
      action: isOver
        ? button(messages.newLink, retry, { kind: 'primary' })
        : html`${isUnavailable ? nothing : retryButton(failure, messages, retry)}${isForSupport ? supportLink(integrator, messages) : nothing}`,
      tone: isOver || isUnavailable ? '' : 'bad',
    })}${reference(failure, messages)}`;
  }
}

function selectAll(event: Event): void {
  // Only the field has this handler.
  (event.target as HTMLInputElement).select();
}
