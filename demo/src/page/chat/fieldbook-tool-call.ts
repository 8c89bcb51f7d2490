import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '../fieldbook-code.ts';
import { sheet } from '../styles.ts';
import type { ToolCall } from './conversation.ts';

/** `<fieldbook-tool-call>`: a call of a tool, with its arguments and its result. */
@customElement('fieldbook-tool-call')
export class FieldbookToolCall extends LitElement {
  @property({ attribute: false }) call!: ToolCall;
  /** Whether the answer is still in progress; a call without a result was stopped otherwise. */
  @property({ attribute: false }) isRunning = true;

  protected override render() {
    const { tool, source, arguments: args, end } = this.call;
    const { entity } = args;
    return html`<details>
      <summary class="entry">
        <span class="line">
          <span><code>${tool}</code>${typeof entity === 'string' ? ` ${entity}` : nothing}</span>
          ${this.#renderState(end)}
        </span>
        <span class="line quiet small">
          <span class="outcome" dir="auto">${[source, end?.summary].filter(Boolean).join(' · ') || '…'}</span>
          <span class="number">${end ? `${end.ms} ms` : nothing}</span>
        </span>
      </summary>
      <div class="body">
        <fieldbook-code label="Arguments" .code=${write(args)}></fieldbook-code>
        ${end ? html`<fieldbook-code label="Result" .code=${write(end.result)}></fieldbook-code>` : nothing}
      </div>
    </details>`;
  }

  #renderState(end: ToolCall['end']) {
    if (end?.isError) return html`<span class="badge bad">Failed</span>`;
    if (end) return html`<span class="badge good">OK</span>`;
    return this.isRunning
      ? html`<span class="badge running">Running</span>`
      : html`<span class="badge">Stopped</span>`;
  }

  static override styles = [
    sheet,
    css`
      :host {
        display: block;
        --code-height: 16rem;
      }
      details {
        border: 1px solid var(--line);
        border-radius: var(--radius-small);
        overflow: clip;
      }
      .entry {
        gap: 0.05rem;
        padding: 0.45rem 0.75rem;
      }
      .entry:focus-visible {
        border-radius: var(--radius-small);
      }
      .entry code {
        font-weight: 600;
      }
      .outcome {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .body {
        display: grid;
        gap: 0.75rem;
        padding: 0.5rem 0.75rem 0.75rem;
      }
      @media (prefers-reduced-motion: no-preference) {
        .running {
          animation: breathe 1.2s ease-in-out infinite;
        }
      }
    `,
  ];
}

function write(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
