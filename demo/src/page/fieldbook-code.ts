import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Session } from './backend.ts';
import { PageElement } from './element.ts';
import { events, type EventGroup } from './events.ts';
import { checkIcon } from './icons.ts';
import { codeOf, requests, steps, type Step } from './requests.ts';

const languages = { curl: 'curl', typescript: 'TypeScript' } as const;
type Language = keyof typeof languages;

/** `<fieldbook-code>`: the four requests that matter, with the same calls as code, and the events that follow. */
@customElement('fieldbook-code')
export class FieldbookCode extends PageElement {
  @property({ attribute: false }) session!: Session;
  @state() private language: Language = 'curl';
  @state() private copied: string | null = null;
  readonly #handleChange = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    for (const log of [requests, events]) log.addEventListener('change', this.#handleChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const log of [requests, events]) log.removeEventListener('change', this.#handleChange);
  }

  /** Opens the code of the last request, which reads the data. */
  showCode(): void {
    const details = this.querySelector<HTMLDetailsElement>('ol li:last-child details');
    if (details) details.open = true;
  }

  protected override render() {
    return html`<p class="quiet">
        Four requests connect a source and read its data. Each is ticked when it was sent.
      </p>
      <div class="segments" role="group" aria-label="Show calls as">
        ${Object.entries(languages).map(
          ([language, name]) =>
            html`<button
              aria-pressed=${language === this.language}
              @click=${() => this.#pick(language as Language)}
            >
              ${name}
            </button>`,
        )}
      </div>
      <ol class="requests">
        ${steps.map((step, index) => this.#renderStep(step, index))}
      </ol>
      ${events.groups.length === 0 ? nothing : renderEvents()}
      <p class="quiet">
        No secret is shown. <code>$TOKEN</code> is a token of one customer, which your backend mints with its
        client id and secret; the TypeScript client does it by itself.
      </p>`;
  }

  #renderStep(step: Step, index: number) {
    const { serviceUrl, customer } = this.session;
    const sent = requests.sent.get(step.key);
    const status = sent?.status ?? null;
    const isDone = status !== null && status >= 200 && status < 300;
    const code = codeOf(step, sent, { serviceUrl, customer: customer.id })[this.language];
    return html`<li class=${isDone ? 'done' : nothing} data-request=${step.key}>
      <span class="dot" aria-hidden="true">${isDone ? checkIcon : index + 1}</span>
      <h3>
        ${step.title}${sent ? html`<span class="badge ${isDone ? 'good' : ''}">${status === null ? 'Waiting' : `${status || 'No response'} · ${sent.ms} ms`}</span>` : nothing}
      </h3>
      <p class="quiet">${step.lead}</p>
      <p class="path"><b>POST</b> ${step.path.replace(/^.*(?=\/connectors|\/widget)/, '…')}</p>
      <details>
        <summary>Show the code</summary>
        <div class="code">
          <pre
            tabindex="0"
            role="region"
            aria-label="${step.title} with ${languages[this.language]}"
          ><code>${code}</code></pre>
          <button class="button" @click=${() => this.#copy(step.key, code)}>
            ${this.copied === step.key ? 'Copied' : 'Copy'}
          </button>
        </div>
      </details>
    </li>`;
  }

  #pick(language: Language): void {
    this.language = language;
  }

  async #copy(key: string, code: string): Promise<void> {
    await navigator.clipboard.writeText(code);
    this.copied = key;
  }
}

function renderEvents() {
  return html`<div>
      <h3>Events</h3>
      <p class="quiet">Your backend need not ask what happened: the service sends it an event.</p>
    </div>
    <ul class="requests">
      ${events.groups.map(renderEvent)}
    </ul>`;
}

function renderEvent({ count, latest: { type, timestamp, summary, data } }: EventGroup) {
  return html`<li class="done" data-event=${type}>
    <span class="dot">${count}<span class="visually-hidden">×</span></span>
    <h4 class="path">${type}</h4>
    <p class="quiet">${summary}</p>
    <details>
      <summary>Show the ${count > 1 ? 'latest' : 'event'}</summary>
      <pre
        tabindex="0"
        role="region"
        aria-label="Body of ${type}"
      ><code>${JSON.stringify({ type, timestamp, data }, null, 2)}</code></pre>
    </details>
  </li>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'fieldbook-code': FieldbookCode;
  }
}
