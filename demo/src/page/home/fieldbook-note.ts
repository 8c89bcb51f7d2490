import '../fieldbook-panel.ts';
import type { Connector } from '@connector-auth/api';
import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { time } from '../format.ts';
import { Loader } from '../loader.ts';
import { sheet } from '../styles.ts';
import { loadNote, nameOf, type Note, type NoteRow } from './notes.ts';
import { problem } from './source-state.ts';

/** `<fieldbook-note>`: a note with its summary and transcript, in a panel. */
@customElement('fieldbook-note')
export class FieldbookNote extends LitElement {
  @property({ attribute: false }) connector!: Connector;
  @property({ attribute: false }) note!: NoteRow;

  readonly #whole = new Loader<Note>(
    this,
    () => `note-${this.connector.id}-${this.note.id}|`,
    () => loadNote(this.connector.id, this.note.id),
  );

  protected override render() {
    return html`<fieldbook-panel heading=${this.note.title ?? 'Untitled note'}
      >${this.#renderNote()}</fieldbook-panel
    >`;
  }

  #renderNote() {
    const { state } = this.#whole;
    switch (state.is) {
      case 'loading':
        return html`<p class="quiet" role="status">Loading note…</p>`;
      case 'failed':
        return problem(state.message, this.#whole.reload);
      case 'loaded':
        return this.#renderWhole(state.value);
    }
  }

  #renderWhole({ attendees, created_at, summary_text, transcript }: Note) {
    const people = (attendees ?? []).map(nameOf).filter(name => name !== '');
    return html`
      <p class="quiet small">
        ${created_at === null ? nothing : time(created_at)}${
          people.length === 0 ? nothing : html` · <span dir="auto">${people.join(', ')}</span>`
        }
      </p>
      <p class="summary" dir="auto">${summary_text ?? 'This note has no summary.'}</p>
      ${
        transcript === null || transcript.length === 0
          ? nothing
          : html`<h3>Transcript</h3>
              <dl>
                ${transcript.map(
                  ({ speaker, text }) =>
                    html`<dt dir="auto">
                        ${speaker?.name ?? (speaker?.source === 'microphone' ? 'Me' : 'Them')}
                      </dt>
                      <dd dir="auto">${text}</dd>`,
                )}
              </dl>`
      }
    `;
  }

  static override styles = [
    sheet,
    css`
      .summary {
        margin-block: 0.75rem 1.5rem;
        white-space: pre-line;
      }
      dl {
        margin: 0.6rem 0 0;
        display: grid;
        grid-template-columns: minmax(4rem, auto) minmax(0, 1fr);
        gap: 0.55rem 1rem;
      }
      dt {
        color: var(--quiet);
        font-size: 0.8125rem;
        line-height: 1.75;
        max-inline-size: 8rem;
      }
      dd {
        margin: 0;
      }
      @media (max-width: 30rem) {
        dl {
          display: block;
        }
        dd {
          margin-block-end: 0.6rem;
        }
      }
    `,
  ];
}
