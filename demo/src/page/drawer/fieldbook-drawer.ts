import { css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Session } from '../backend.ts';
import '../fieldbook-code.ts';
import { requests, type LoggedRequest } from '../requests.ts';
import { SideDrawer } from '../side-drawer.ts';
import { apiCallOf, senderOf, tokenCommands, type CallContext, type Sender } from './calls.ts';

const languages = { curl: 'curl', typescript: 'TypeScript' } as const;
type Language = keyof typeof languages;

const senders: Readonly<Record<Sender, string>> = {
  fieldbook: 'Fieldbook',
  backend: 'Backend',
  widget: 'Widget',
};

const explanations: Readonly<Record<Sender, string>> = {
  fieldbook: 'Fieldbook’s own route. The service isn’t involved.',
  backend: 'The page called its own backend, which called the service as the signed-in customer:',
  widget: 'The widget’s token is for the signed-in customer and this page only. The same call from a server:',
};

const mintExplanation =
  'The widget asked Fieldbook’s backend for a token, and the backend minted one for the signed-in customer and this page:';

/** `<fieldbook-drawer>`: every request as it goes, with the same call as code. */
@customElement('fieldbook-drawer')
export class FieldbookDrawer extends SideDrawer {
  @property({ attribute: false }) session: Session | null = null;
  @state() private language: Language = 'curl';
  @state() private entries = requests.entries;
  protected override readonly heading = 'What just happened';

  override connectedCallback(): void {
    super.connectedCallback();
    requests.addEventListener('change', this.#handleChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    requests.removeEventListener('change', this.#handleChange);
  }

  protected override renderActions() {
    return html`<button
      class="button plain small"
      @click=${this.#handleClear}
      ?disabled=${this.entries.length === 0}
    >
      Clear
    </button>`;
  }

  protected override renderHead() {
    return html`<p class="quiet small">
        Every request of this page and of the widget, newest first. Open one to copy the same call.
      </p>
      <div class="choices" role="group" aria-label="Show calls as">
        ${Object.entries(languages).map(
          ([language, name]) =>
            html`<button
              class="button small"
              data-language=${language}
              aria-pressed=${language === this.language}
              @click=${this.#handleLanguage}
            >
              ${name}
            </button>`,
        )}
      </div>`;
  }

  protected override renderContent() {
    const { entries, session } = this;
    return html`<div class="content">
      ${entries.length === 0 ? html`<p class="quiet none">Nothing yet. Use the page to see its requests.</p>` : nothing}
      <ol class="entries">
        ${
          session
            ? repeat(
                entries,
                ({ id }) => id,
                entry => this.#renderEntry(entry, session),
              )
            : nothing
        }
      </ol>
      ${session ? this.#renderTokens(contextOf(session)) : nothing}
    </div>`;
  }

  #renderEntry(entry: LoggedRequest, session: Session) {
    const { method, url, status, summary, ms, started, times } = entry;
    const call = apiCallOf(entry, contextOf(session));
    const sender = senderOf(entry, session.serviceUrl);
    return html`<li>
      <details>
        <summary class="entry">
          <span class="line">
            <strong>${call?.title ?? ownTitle(method, url)}</strong>
            ${times > 1 ? html`<span class="quiet small number">×${times}</span>` : nothing}
            ${outcome(status)}
          </span>
          <span class="line quiet small">
            ${renderPath(method, url)}
            <span class="number">${ms === null ? '…' : `${ms} ms`}</span>
          </span>
          <span class="line quiet small">
            <span>${senders[sender]}${summary === null ? '' : ` · ${summary}`}</span>
            <time class="number" datetime=${new Date(started).toISOString()}>${clock.format(started)}</time>
          </span>
        </summary>
        <p class="quiet small">${isMint(url) ? mintExplanation : explanations[sender]}</p>
        ${
          call
            ? html`<fieldbook-code
                .label=${languages[this.language]}
                .code=${call[this.language]}
              ></fieldbook-code>`
            : nothing
        }
      </details>
    </li>`;
  }

  #renderTokens(context: CallContext) {
    return html`<details class="tokens">
      <summary class="small">Where does <code>$TOKEN</code> come from?</summary>
      <p class="quiet small">
        Your backend exchanges its client id and secret for a token of its own, and that for a token of one
        customer. The client for TypeScript does both by itself. The demo’s secret is in its data folder, in
        <code>demo-client-secret</code>.
      </p>
      <fieldbook-code label="Get the tokens" .code=${tokenCommands(context)}></fieldbook-code>
    </details>`;
  }

  readonly #handleChange = (): void => {
    this.entries = requests.entries;
  };

  #handleClear(): void {
    requests.clear();
  }

  #handleLanguage(event: Event): void {
    const { language } = (event.currentTarget as HTMLElement).dataset;
    this.language = language === 'typescript' ? 'typescript' : 'curl';
  }

  static override styles = [
    ...SideDrawer.styles,
    css`
      li {
        border-block-end: 1px solid var(--line);
      }
      details {
        padding-inline: 1.25rem;
      }
      details[open] {
        padding-block-end: 1rem;
      }
      details > p {
        margin-block-end: 0.6rem;
      }
      .entry {
        gap: 0.1rem;
        margin-inline: -1.25rem;
        padding: 0.6rem 1.25rem;
      }
      summary:focus-visible {
        outline-offset: -2px;
      }
      strong {
        font-weight: 600;
      }
      .line > .number {
        flex: none;
      }
      .path {
        display: flex;
        min-inline-size: 0;
        font-family: var(--mono);
        font-size: 0.75rem;
        white-space: pre;
      }
      .path > * {
        flex: none;
      }
      .path > .start {
        flex: 0 1 auto;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .none,
      .tokens {
        padding: 1rem 1.25rem;
      }
      .tokens summary {
        cursor: pointer;
        margin-block-end: 0.5rem;
      }
    `,
  ];
}

const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hour12: false });

function contextOf({ serviceUrl, customer }: Session): CallContext {
  return { serviceUrl, customer: customer.id };
}

/** Shortens a path at its start, because the ends of paths differ. */
function renderPath(method: string, { pathname }: URL) {
  const end = pathname.lastIndexOf('/');
  const [start, last] = [pathname.slice(0, end), pathname.slice(end)];
  return html`<span class="path"
    ><b>${method} </b><span class="start">${start}</span><span>${last}</span></span
  >`;
}

/** Names a request that only Fieldbook's own backend knows. */
function ownTitle(method: string, { pathname }: URL): string {
  return method === 'POST' && pathname === '/api/chat' ? 'Ask Fieldbook' : 'Load the page';
}

function isMint({ pathname }: URL): boolean {
  return pathname === '/connector-auth/widget-token';
}

function outcome(status: number | null) {
  if (status === null) return html`<span class="badge">Waiting</span>`;
  if (status === 0) return html`<span class="badge">No response</span>`;
  return html`<span class="badge ${status < 400 ? 'good' : 'bad'}">${status}</span>`;
}
