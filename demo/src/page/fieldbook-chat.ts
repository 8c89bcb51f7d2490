import { ConnectorAuthController } from '@connector-auth/widget/lit';
import { html, nothing } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { Session } from './backend.ts';
import { Conversation, type ToolCall, type Turn } from './conversation.ts';
import { PageElement } from './element.ts';
import { arrowUpIcon, stopIcon } from './icons.ts';
import { renderMarkdown } from './render-markdown.ts';

/** The conversation is still there when the chat is opened again. */
const conversation = new Conversation();
/** Where the question is stored that the person wants to ask, while they sign in. */
const questionKey = 'fieldbook-question';

/** Returns whether the person comes back from the sign-in. */
export const isBackFromSignIn = () => sessionStorage.getItem(questionKey) !== null;

/** `<fieldbook-chat>`: questions about the customer's data, and the tool calls that answer them as they happen. */
@customElement('fieldbook-chat')
export class FieldbookChat extends PageElement {
  @property({ attribute: false }) session!: Session;
  /** What a screen reader says about the answer. */
  @state() private news = '';
  @query('textarea') private readonly input!: HTMLTextAreaElement;
  readonly #flow = new ConnectorAuthController(this);
  readonly #handleChange = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    conversation.addEventListener('change', this.#handleChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    conversation.removeEventListener('change', this.#handleChange);
    conversation.stop();
  }

  protected override firstUpdated(): void {
    const question = sessionStorage.getItem(questionKey) ?? '';
    sessionStorage.removeItem(questionKey);
    if (this.session.chat.reasonToSignIn === null) void this.#ask(question);
    else this.input.value = question;
  }

  protected override render() {
    const { model, reasonToSignIn } = this.session.chat;
    return html`<div class="conversation" role="region" aria-label="Conversation" tabindex="0">
        ${
          conversation.turns.length > 0
            ? conversation.turns.map(turn => this.#renderTurn(turn))
            : reasonToSignIn === null
              ? html`<p class="quiet">
                  Ask about the data of ${this.session.customer.company}. You see each call of a tool as it
                  happens.
                </p>`
              : html`<section class="turn">
                  ${this.#renderSignIn(reasonToSignIn, () => this.input.value)}
                </section>`
        }
      </div>
      ${this.#renderSuggestions()}
      <form class="ask" @submit=${this.#handleSubmit}>
        <label for="question" class="visually-hidden">Your question</label>
        <textarea
          id="question"
          rows="1"
          maxlength="2000"
          placeholder="Ask about your data"
          @keydown=${this.#handleKey}
        ></textarea>
        ${
          conversation.isRunning
            ? html`<button class="button" type="button" aria-label="Stop" @click=${this.#handleStop}>
                ${stopIcon}
              </button>`
            : reasonToSignIn === null
              ? html`<button class="button primary" aria-label="Ask">${arrowUpIcon}</button>`
              : nothing
        }
      </form>
      <p class="quiet">
        ${
          model === null
            ? 'Scripted answers from live data. Set MODEL_URL for a language model.'
            : `Answers by ${model}. Models make mistakes: check the results.`
        }
      </p>
      <div class="visually-hidden" role="status">${this.news}</div>`;
  }

  #renderTurn({ question, calls, answer, state }: Turn) {
    const isRunning = state.is === 'running';
    return html`<section class="turn">
      <p class="question"><span class="visually-hidden">You asked: </span>${question}</p>
      <ol class="calls" aria-label="Calls of tools">
        ${calls.map(call => renderCall(call, isRunning))}
      </ol>
      ${answer === '' ? nothing : html`<div class="answer">${renderMarkdown(answer)}</div>`}
      ${isRunning ? html`<p class="quiet">Working…</p>` : nothing}
      ${state.is === 'stopped' ? html`<p class="quiet">You stopped this answer.</p>` : nothing}
      ${state.is === 'signed-out' ? this.#renderSignIn(state.message, () => question) : nothing}
      ${state.is === 'failed' ? html`<p class="problem" role="alert">${state.message}</p>` : nothing}
    </section>`;
  }

  #renderSignIn(reason: string, question: () => string) {
    return html`<p class="quiet" role="alert">${reason}</p>
      <button class="button primary" @click=${() => this.#signIn(question())}>Sign in</button>`;
  }

  #renderSuggestions() {
    const kinds = new Set<string>(this.#flow.connectors.map(({ connector_type }) => connector_type));
    const { suggestions, reasonToSignIn } = this.session.chat;
    if (conversation.turns.length > 0 || reasonToSignIn !== null) return nothing;
    return html`<div class="suggestions" role="group" aria-label="Suggested questions">
      ${suggestions
        .filter(({ source }) => source === null || kinds.has(source))
        .map(
          ({ question }) =>
            html`<button class="button" @click=${() => this.#ask(question)}>${question}</button>`,
        )}
    </div>`;
  }

  async #ask(question: string): Promise<void> {
    if (conversation.isRunning || question === '') return;
    this.news = 'Working on the answer';
    // The button that was used may be gone.
    this.input.focus();
    const answered = conversation.ask(question);
    await this.updateComplete;
    this.querySelector('.turn:last-child')?.scrollIntoView({ block: 'start' });
    await answered;
    await this.updateComplete;
    this.querySelector('.turn:last-child > .button')?.scrollIntoView({ block: 'nearest' });
    const answer = this.querySelector('.turn:last-child .answer')?.firstElementChild?.textContent;
    this.news = conversation.turns.at(-1)?.state.is === 'done' ? `Answer: ${answer ?? ''}` : '';
  }

  /** Leaves the page for the sign-in, which comes back to it. */
  #signIn(question: string): void {
    sessionStorage.setItem(questionKey, question);
    location.assign(`/api/chat/sign-in?next=/${encodeURIComponent(location.hash)}`);
  }

  readonly #handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const question = this.input.value.trim();
    if (conversation.isRunning) return;
    if (this.session.chat.reasonToSignIn !== null) return this.#signIn(question);
    this.input.value = '';
    void this.#ask(question);
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.input.form?.requestSubmit();
  };

  readonly #handleStop = (): void => {
    conversation.stop();
    this.input.focus();
  };
}

function renderCall({ tool, source, arguments: args, end }: ToolCall, isRunning: boolean) {
  const { entity } = args;
  const [state, tone] = end
    ? end.isError
      ? ['Failed', 'bad']
      : ['OK', 'good']
    : [isRunning ? 'Running' : 'Stopped', ''];
  return html`<li>
    <details>
      <summary>
        <span><code>${tool}</code> ${typeof entity === 'string' ? entity : ''}</span>
        <span class="badge ${tone}">${state}</span>
        <span class="quiet" dir="auto">${[source, end?.summary].filter(Boolean).join(' · ')}</span>
        <span class="quiet">${end ? `${end.ms} ms` : nothing}</span>
      </summary>
      ${renderJson('Arguments', args)} ${end ? renderJson('Result', end.result) : nothing}
    </details>
  </li>`;
}

function renderJson(label: string, value: unknown) {
  return html`<pre
    tabindex="0"
    role="region"
    aria-label=${label}
  ><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}
