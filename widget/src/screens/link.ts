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
import { timeUntil } from '../messages/relative-time.ts';
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
    return html`<div class="screen ${link ? '' : 'pending'}">
      ${back}${failureNotice(failure, messages, { source: name, integrator })}
      <div class="success" part="message">
        ${sourceIcon(name, iconUrl)}
        <span class="icon-circle" part="sign">${spinner}</span>
        <h2 part="title" dir="auto">${title}</h2>
        <p class="lead" part="lead" dir="auto">${messages.linkLead(integrator?.name ?? '')}</p>
        <input
          class="url"
          part="input"
          dir="ltr"
          readonly
          aria-label=${title}
          .value=${link?.url ?? ''}
          @focus=${selectAll}
        />
        <p class="hint" part="hint">${link ? this.#renderExpiry(link) : '\u00a0'}</p>
      </div>
      <div class="footer" part="footer">
        ${isOpened ? nothing : this.#renderActions(link, title)}
        <p class="trust ${isOpened ? 'opened' : ''}" part="status">${linkStatus(state, messages)}</p>
      </div>
      <div class="after">
        ${button(messages.cancelLink, cancel, {
          kind: 'quiet',
          part: 'cancel-link-button',
          isBusy: state.name !== 'sharing',
        })}
      </div>
    </div>`;
  }

  #renderExpiry({ expires_at: time }: Link): TemplateResult {
    const { messages } = this.context;
    return ticking(time, messages, messages.linkExpires(timeUntil(time, messages)));
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
      ${isCopied ? html`${icons.check}${messages.linkCopied}` : messages.copyLink}
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
    const retry = () => {
      send({ type: 'retry' });
    };
    return html`${emptyState({
      icon: isOver ? stepIcons.clock : icons.alert,
      title,
      hint: isOver ? messages.nothingSaved : hint,
      action: isOver
        ? button(messages.newLink, retry, { kind: 'primary' })
        : html`${
            // Only the integrator can change that.
            failure.code === 'helper_url_missing' ? nothing : retryButton(failure, messages, retry)
          }${isForSupport ? supportLink(integrator, messages) : nothing}`,
      tone: isOver ? '' : 'bad',
    })}${reference(failure, messages)}`;
  }
}

function selectAll(event: Event): void {
  // Only the field has this handler.
  (event.target as HTMLInputElement).select();
}
