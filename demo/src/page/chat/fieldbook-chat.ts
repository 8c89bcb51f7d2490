import type { Connector } from '@connector-auth/api';
import { css, html, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { loadChat, type Session } from '../backend.ts';
import type { ChatInfo } from '../chat-events.ts';
import { arrowUpIcon, chatIcon, stopIcon } from '../icons.ts';
import { SideDrawer } from '../side-drawer.ts';
import { Conversation, type Turn } from './conversation.ts';
import './fieldbook-tool-call.ts';
import { renderMarkdown } from './render-markdown.ts';

/** `<fieldbook-chat>`: questions about the customer's data, and the tool calls that answer them as they happen. */
@customElement('fieldbook-chat')
export class FieldbookChat extends SideDrawer {
  @property({ attribute: false }) session: Session | null = null;
  /** The customer's connectors. Null while they are loading. */
  @property({ attribute: false }) connectors: readonly Connector[] | null = null;
  /** Null while it is loading. */
  @state() private info: ChatInfo | null = null;
  @state() private turns: readonly Turn[] = [];
  /** What a screen reader says about the answer. */
  @state() private news = '';
  @query('textarea') private readonly input!: HTMLTextAreaElement;
  protected override readonly heading = 'Ask Fieldbook';
  #conversation: Conversation | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#conversation?.stop();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('session')) this.#start(changed.get('session') ?? null);
    if (changed.has('open') && this.open && !this.info) void this.#load();
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    // On a phone, the keyboard would cover the suggestions.
    if (changed.has('open') && this.open && !this.isSheet) this.input.focus();
  }

  protected override renderActions() {
    return html`<button
      class="button plain small"
      @click=${this.#handleClear}
      ?disabled=${this.turns.length === 0}
    >
      New chat
    </button>`;
  }

  protected override renderHead() {
    return html`<p class="quiet small">
      ${
        this.info?.model === null
          ? html`<strong>Scripted answers</strong> from live data: this demo runs without a language model, so
              it only knows the suggested questions.`
          : this.info && html`Answers by ${this.info.model}. Models make mistakes: check the results.`
      }
    </p>`;
  }

  protected override renderContent() {
    return html`<div
        class="content"
        role="region"
        aria-label="Conversation"
        tabindex="0"
        @click=${this.#handleLink}
      >
        ${this.turns.length === 0 ? this.#renderIntroduction() : nothing}
        <ol class="entries">
          ${repeat(
            this.turns,
            ({ id }) => id,
            turn => this.#renderTurn(turn),
          )}
        </ol>
      </div>
      <div class="foot">
        ${this.#renderSuggestions()}
        <form @submit=${this.#handleSubmit}>
          <label for="question" class="visually-hidden">Your question</label>
          <textarea
            id="question"
            rows="1"
            maxlength="2000"
            placeholder="Ask about your data"
            @keydown=${this.#handleQuestionKey}
          ></textarea>
          ${
            this.#isRunning
              ? html`<button class="button" type="button" aria-label="Stop" @click=${this.#handleStop}>
                  ${stopIcon}
                </button>`
              : html`<button class="button primary" aria-label="Ask">${arrowUpIcon}</button>`
          }
        </form>
      </div>
      <div class="visually-hidden" role="status">${this.news}</div>`;
  }

  #renderIntroduction() {
    return html`<div class="introduction">
      <span class="mark">${chatIcon}</span>
      <p>
        Ask about the data of <strong>${this.session?.customer.company}</strong>. You see each call of a tool
        as it happens. The chat can read, but not change anything.
      </p>
    </div>`;
  }

  #renderTurn({ question, calls, answer, state }: Turn) {
    return html`<li data-turn>
      <p class="question"><span class="visually-hidden">You asked: </span>${question}</p>
      <ol class="entries calls" aria-label="Calls of tools">
        ${calls.map(
          call =>
            html`<li>
              <fieldbook-tool-call .call=${call} .isRunning=${state.is === 'running'}></fieldbook-tool-call>
            </li>`,
        )}
      </ol>
      ${answer === '' ? nothing : html`<div class="answer">${renderMarkdown(answer)}</div>`}
      ${this.#renderState(state, question)}
    </li>`;
  }

  #renderState(state: Turn['state'], question: string) {
    switch (state.is) {
      case 'running':
        return html`<p class="quiet small running">Working…</p>`;
      case 'stopped':
        return html`<p class="quiet small">You stopped this answer.</p>`;
      case 'failed':
        return html`<div class="problem" role="alert">
          <p>${state.message}</p>
          <button class="button small" data-question=${question} @click=${this.#handleSuggestion}>
            Try again
          </button>
        </div>`;
      case 'done':
        return nothing;
    }
  }

  #renderSuggestions() {
    const asked = new Set(this.turns.map(({ question }) => question));
    const kinds = new Set<string>(this.connectors?.map(({ connector_type }) => connector_type));
    const suggestions =
      this.info?.suggestions.filter(
        ({ question, source }) => !asked.has(question) && (source === null || kinds.has(source)),
      ) ?? [];
    if (suggestions.length === 0 || this.#isRunning) return nothing;
    return html`<div class="choices" role="group" aria-label="Suggested questions">
      ${suggestions.map(
        ({ question }) =>
          html`<button class="button small" data-question=${question} @click=${this.#handleSuggestion}>
            ${question}
          </button>`,
      )}
    </div>`;
  }

  get #isRunning(): boolean {
    return this.turns.at(-1)?.state.is === 'running';
  }

  /** Each customer has a conversation of their own. */
  #start(before: Session | null): void {
    const { session } = this;
    if (!session || session.customer.id === before?.customer.id) return;
    this.#conversation?.clear();
    const conversation = new Conversation(new URL(`${session.serviceUrl}/mcp`));
    this.#conversation = conversation;
    this.turns = [];
    this.news = '';
    conversation.addEventListener('change', () => {
      if (conversation === this.#conversation) this.turns = conversation.turns;
    });
  }

  async #load(): Promise<void> {
    // Without it, questions can still be asked, and say what fails.
    this.info = await loadChat().catch(() => null);
  }

  async #ask(question: string): Promise<void> {
    const conversation = this.#conversation;
    if (!conversation || conversation.isRunning || question === '') return;
    this.news = 'Working on the answer';
    const answered = conversation.ask(question);
    await this.updateComplete;
    this.renderRoot.querySelector('[data-turn]:last-child')?.scrollIntoView({ block: 'start' });
    await answered;
    await this.updateComplete;
    if (conversation !== this.#conversation) return;
    const answer = this.renderRoot.querySelector('[data-turn]:last-child .answer')?.firstElementChild
      ?.textContent;
    this.news = this.turns.at(-1)?.state.is === 'done' ? `Answer: ${answer ?? ''}` : '';
  }

  readonly #handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const question = this.input.value.trim();
    if (question === '' || this.#isRunning) return;
    this.input.value = '';
    this.input.focus();
    void this.#ask(question);
  };

  readonly #handleQuestionKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.input.form?.requestSubmit();
  };

  readonly #handleSuggestion = (event: Event): void => {
    const { question = '' } = (event.currentTarget as HTMLElement).dataset;
    // The button is about to go.
    this.renderRoot.querySelector<HTMLElement>('.content')?.focus();
    void this.#ask(question);
  };

  readonly #handleStop = (): void => {
    this.#conversation?.stop();
    this.input.focus();
  };

  readonly #handleClear = (): void => {
    this.#conversation?.clear();
    this.news = '';
    this.input.focus();
  };

  /** A sheet would cover the page that a link in an answer opens. */
  readonly #handleLink = (event: Event): void => {
    if (this.isSheet && (event.target as Element).closest('a')) this.close();
  };

  static override styles = [
    ...SideDrawer.styles,
    css`
      dialog[open] {
        grid-template-rows: auto minmax(0, 1fr) auto;
      }
      .content {
        container-type: size;
      }
      .content:focus-visible {
        outline-offset: -2px;
      }
      .introduction {
        display: grid;
        justify-items: center;
        align-content: center;
        gap: 0.75rem;
        block-size: 100cqb;
        padding: 1.25rem;
        text-align: center;
        color: var(--quiet);
      }
      .introduction p {
        max-inline-size: 19rem;
        text-wrap: balance;
      }
      .content > ol > li {
        display: grid;
        align-content: start;
        gap: 0.6rem;
        padding: 1rem 1.25rem;
      }
      /* The latest question is at the top, and its answer grows below it. */
      .content > ol > li:last-child {
        min-block-size: 100cqb;
      }
      .question {
        justify-self: end;
        max-inline-size: 88%;
        padding: 0.45rem 0.8rem;
        border-radius: var(--radius) var(--radius) 0.2rem var(--radius);
        background: var(--tint);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      .calls {
        display: grid;
        gap: 0.4rem;
      }
      .calls:empty {
        display: none;
      }
      .answer {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.75rem;
        padding-block-start: 0.35rem;
        overflow-wrap: anywhere;
      }
      .answer :is(ul, ol) {
        display: grid;
        gap: 0.5rem;
        margin: 0;
        padding-inline-start: 1.2rem;
      }
      .answer ul {
        list-style: disc;
      }
      .answer :is(th, td) {
        padding-inline: 0.6rem;
      }
      .answer .number {
        text-align: end;
        white-space: nowrap;
      }
      .answer a {
        font-weight: 550;
      }
      .foot {
        display: grid;
        gap: 0.6rem;
        padding: 0.75rem 1.25rem calc(1rem + env(safe-area-inset-bottom));
        border-block-start: 1px solid var(--line);
      }
      form {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        align-items: end;
        gap: 0.5rem;
      }
      form .button {
        inline-size: 2.5rem;
        block-size: 2.5rem;
        padding: 0;
      }
      textarea {
        field-sizing: content;
        min-block-size: 2.5rem;
        max-block-size: 8rem;
        padding-block: 0.45rem;
        resize: none;
      }
      .choices .button {
        border-radius: 99px;
        white-space: normal;
        text-align: start;
      }
      @media (max-width: 48rem) {
        dialog {
          block-size: 100dvh;
          border-radius: 0;
        }
      }
    `,
  ];
}
