import './fieldbook-note.ts';
import type { Connector } from '@connector-auth/api';
import { css, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { ago, time } from '../format.ts';
import { Loader, messageOf } from '../loader.ts';
import { sheet } from '../styles.ts';
import { freshnessOf, versionOf, type Freshness } from './freshness.ts';
import { loadNotes, nameOf, type NoteRow, type NotesPage } from './notes.ts';
import { importing, problem, sourceList, sourceStyles } from './source-state.ts';

const entity = 'notes';
const dayMs = 86_400_000;

/** `<fieldbook-notes>`: the latest meeting notes, which open in a panel. */
@customElement('fieldbook-notes')
export class FieldbookNotes extends LitElement {
  @property({ attribute: false }) connector!: Connector;
  /** In milliseconds since 1970. */
  @property({ attribute: false }) now = 0;
  @state() private opened: NoteRow | null = null;
  /** The pages after the first one, which the user asked for. */
  @state() private older: readonly NotesPage[] = [];
  @state() private failure: string | null = null;

  readonly #notes = new Loader<NotesPage>(
    this,
    () => `notes-${this.connector.id}|${versionOf(this.connector, entity)}`,
    () => loadNotes(this.connector.id),
  );

  protected override render() {
    const { opened } = this;
    const freshness = freshnessOf(this.connector, entity, this.now);
    return html`${sourceList(this.#notes, {
      heading: 'Latest notes',
      noun: 'notes',
      freshness,
      render: first => this.#renderList([first, ...this.older], freshness),
    })}
    ${
      opened === null
        ? nothing
        : html`<fieldbook-note
            .connector=${this.connector}
            .note=${opened}
            @fieldbook-close=${this.#handleClose}
          ></fieldbook-note>`
    }`;
  }

  #renderList(pages: readonly NotesPage[], freshness: Freshness) {
    // While notes are imported, a page may start with notes that are on another page already.
    const all = pages.flatMap(page => page.notes.map(note => [note.id, note] as const));
    const notes = [...new Map(all).values()];
    if (notes.length === 0) {
      return freshness.is === 'importing'
        ? importing(freshness, 'Notes')
        : html`<p class="quiet">This account has no notes yet.</p>`;
    }
    const cursor = pages.at(-1)?.cursor ?? null;
    return html`<ul>
        ${repeat(
          notes,
          ({ id }) => id,
          note =>
            html`<li>
              <button
                class="row"
                data-note=${note.id}
                @click=${() => {
                  this.opened = note;
                }}
              >
                <span class="title" dir="auto">${note.title ?? 'Untitled note'}</span>
                <span class="quiet small"
                  >${this.#when(note.created_at)}${nameOf(note.owner) === '' ? nothing : html` · <bdi>${nameOf(note.owner)}</bdi>`}</span
                >
              </button>
            </li>`,
        )}
      </ul>
      ${this.failure === null ? nothing : problem(this.failure, () => void this.#loadOlder(cursor))}
      ${
        cursor === null || this.failure !== null
          ? nothing
          : html`<button class="button small" @click=${() => this.#loadOlder(cursor)}>Older notes</button>`
      }`;
  }

  #when(created: string | null): string {
    if (created === null) return '';
    const isRecent = this.now - Date.parse(created) < 7 * dayMs;
    return isRecent ? ago(created, this.now) : time(created, undefined, { dateStyle: 'medium' });
  }

  async #loadOlder(cursor: string | null): Promise<void> {
    const { connector } = this;
    this.failure = null;
    try {
      const page = await loadNotes(connector.id, cursor);
      if (connector.id === this.connector.id) this.older = [...this.older, page];
    } catch (error) {
      this.failure = messageOf(error);
    }
  }

  readonly #handleClose = (): void => {
    this.opened = null;
  };

  static override styles = [
    sheet,
    sourceStyles,
    css`
      :host {
        display: block;
      }
      ul {
        list-style: none;
        margin: 0 -0.6rem 0.5rem;
        padding: 0;
      }
      .row {
        font: inherit;
        color: inherit;
        text-align: start;
        display: grid;
        gap: 0.05rem;
        inline-size: 100%;
        padding: 0.5rem 0.6rem;
        border: 0;
        border-radius: var(--radius-small);
        background: none;
        cursor: pointer;
      }
      .row:hover {
        background: var(--hover);
      }
      .title {
        font-weight: 550;
        overflow-wrap: anywhere;
      }
    `,
  ];
}
