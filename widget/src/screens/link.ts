import { html, nothing, type TemplateResult } from 'lit';
import { backButton, button } from '../components/buttons.ts';
import { emptyState } from '../components/empty-state.ts';
import { icons } from '../components/icons.ts';
import { supportLink } from '../components/integrator.ts';
import { failureNotice, reference, retryButton } from '../components/notice.ts';
import { sourceIcon } from '../components/source-icon.ts';
import { spinner, stepIcons } from '../components/step-icons.ts';
import { ticking } from '../components/ticking.ts';
import type { Catalog, Link, StateOf } from '../flow/flow.ts';
import { failureWords } from '../messages/failure-words.ts';
import { linkStatus } from '../messages/link-status.ts';
import { dayOf, timeOf } from '../messages/relative-time.ts';
import type { RenderContext } from './render-context.ts';

const day = 86_400;
/** The offered lifetimes of a link in seconds, beginning with the default. */
const lifetimes = [3600, day, 7 * day] as const;

/** Renders a connect link with what happens to it, or why there is none. */
export class LinkScreen {
  /** The link that the user has copied or shared. */
  #sent: Link | undefined;
  #isCopied = false;

  constructor(private readonly context: RenderContext) {}

  render(state: StateOf<'linking' | 'sharing' | 'cancelling' | 'unlinked'>): TemplateResult {
    const { messages, send, sends } = this.context;
    const { definition } = state;
    const { integrator } = state.catalog;
    const title = messages.linkTitle((state.target ?? definition).name);
    const { name, iconUrl } = definition;
    const back = backButton(messages.back, sends('back'));
    if (state.name === 'unlinked')
      return html`<div class="screen">${back}${this.#renderFailure(state)}</div>`;
    const link = state.name === 'linking' ? undefined : state.link;
    const failure = state.name === 'sharing' ? state.failure : null;
    const cancel = () => {
      if (state.name === 'sharing') send({ type: 'cancelLink' });
    };
    const isOpened = state.name !== 'linking' && state.isOpened;
    const isKept = state.name === 'sharing' && state.isKept;
    const isSent = link && link === this.#sent;
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
                <div class="line spread">
                  <p id="lifetime" class="hint" part="hint">${link ? this.#renderExpiry(link) : '\u00a0'}</p>
                  ${isSent ? nothing : this.#renderLifetime(state.catalog, link, title)}
                </div>`
        }
        ${failureNotice(failure, messages, { source: name, integrator }, isKept ? messages.linkNotCancelled : '')}
      </div>
      <div class="footer" part="footer">
        ${
          isOpened || isKept
            ? nothing
            : html`${failure ? nothing : html`<p class="trust" part="status">${isSent ? linkStatus(state, messages) : '\u00a0'}</p>`}
              ${this.#renderCopy(link)}${link ? this.#renderSend(link, state) : nothing}`
        }
        ${button(isKept ? messages.retry : messages.cancelLink, cancel, {
          kind: isOpened || isKept ? '' : 'quiet',
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

  /** Renders the choice of how long the link is valid, beside until when. Another choice replaces the link. */
  #renderLifetime({ rights }: Catalog, link: Link | undefined, title: string): TemplateResult {
    const { messages, send } = this.context;
    const choose = ({ target }: Event) => {
      // Only the field has this handler.
      send({ type: 'createLink', seconds: Number((target as HTMLSelectElement).value) });
    };
    return html`<span class="choice"
      ><select
        part="input"
        aria-label=${title}
        aria-describedby="lifetime"
        ?disabled=${!link}
        @change=${choose}
      >
        ${lifetimes
          .filter(seconds => seconds <= (rights?.max_link_seconds ?? day))
          .map(
            seconds =>
              html`<option value=${seconds} ?selected=${seconds === link?.seconds}>
                ${durationOf(seconds, messages.language)}
              </option>`,
          )}
      </select></span
    >`;
  }

  #renderCopy(link: Link | undefined): TemplateResult {
    const { messages } = this.context;
    const isCopied = this.#isCopied && link === this.#sent;
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

  /** Renders what opens the system's dialog, or where there is none, a mail. Both have a note, a subject and the link. */
  #renderSend(
    link: Link,
    { target, definition }: StateOf<'sharing' | 'cancelling' | 'linking'>,
  ): TemplateResult {
    const { messages } = this.context;
    const { linkNote: text } = messages;
    const { url } = link;
    const title = target ? messages.reconnectTitle(target.name) : messages.formTitle(definition.name);
    const markSent = () => {
      this.#markSent(link, false);
    };
    if ('share' in navigator) {
      // Users can also close the dialog.
      return button(
        messages.shareLink,
        () => void navigator.share({ title, text, url }).then(markSent, () => {}),
      );
    }
    return button(messages.emailLink, () => {
      // Not the address of a link, which other scripts on the page could read.
      open(
        `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(`${text}\n\n${url}`)}`,
        '_self',
      );
      markSent();
    });
  }

  async #copy(link: Link): Promise<void> {
    const { host } = this.context;
    try {
      await navigator.clipboard.writeText(link.url);
    } catch {
      // The page may not write to the clipboard. The user can copy the selected text.
      host.renderRoot.querySelector<HTMLInputElement>('.url')?.focus();
      return;
    }
    this.#markSent(link, true);
  }

  #markSent(link: Link, isCopied: boolean): void {
    const { host, messages, announce } = this.context;
    this.#sent = link;
    this.#isCopied = isCopied;
    host.requestUpdate();
    announce(`${isCopied ? `${messages.linkCopied}. ` : ''}${messages.linkWaiting} ${messages.leaveHint}`);
  }

  #renderFailure({ failure, catalog, definition }: StateOf<'unlinked'>): TemplateResult {
    const { messages, sends } = this.context;
    const { integrator } = catalog;
    const parties = { source: definition.name, integrator };
    const { title, hint, isForSupport } = failureWords(failure, messages, parties);
    const isOver = failure.code.startsWith('link_');
    // Only the integrator can change that.
    const isUnavailable = failure.code === 'helper_url_missing';
    return html`${emptyState({
      icon: isOver ? stepIcons.clock : isUnavailable ? stepIcons.link : icons.alert,
      title: isUnavailable ? messages.linksUnavailable : title,
      hint: isOver ? messages.nothingSaved : hint,
      action: isOver
        ? button(messages.newLink, sends('retry'), { kind: 'primary' })
        : html`${isUnavailable ? nothing : retryButton(failure, messages, sends('retry'))}${isForSupport ? supportLink(integrator, messages) : nothing}`,
      tone: isOver || isUnavailable ? '' : 'bad',
    })}${reference(failure, messages)}`;
  }
}

/** Returns a number of seconds in words, such as “7 days”. */
function durationOf(seconds: number, language: string): string {
  const [unit, size] = seconds < day ? (['hour', 3600] as const) : (['day', day] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size);
}

function selectAll(event: Event): void {
  // Only the field has this handler.
  (event.target as HTMLInputElement).select();
}
