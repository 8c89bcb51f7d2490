import type { Connector } from '@connector-auth/api';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { execute } from '../backend.ts';
import type { Note, NotesMeta } from './note.ts';

type Loading = { is: 'loading' } | { is: 'failed'; message: string };
type List = Loading | { is: 'loaded'; notes: readonly Note[]; meta: NotesMeta; isLoadingMore: boolean };
type Detail = Loading | { is: 'none' } | { is: 'loaded'; note: Note };

const pageSize = 20;

/** Shows one connector's notes as a list, with the selected note. Uses the page's styles (no shadow root). */
export class NotesView extends LitElement {
  static override properties = {
    connector: { attribute: false },
    list: { state: true },
    detail: { state: true },
    selected: { state: true },
  };

  declare connector: Connector | null;
  declare private list: List;
  declare private detail: Detail;
  declare private selected: string | null;

  constructor() {
    super();
    this.connector = null;
    this.list = { is: 'loading' };
    this.detail = { is: 'none' };
    this.selected = null;
  }

  protected override createRenderRoot() {
    return this;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // A newer state of the same connector does not affect this view.
    const { connector } = this;
    if (connector && changed.has('connector') && changed.get('connector')?.id !== connector.id) {
      void this.load(connector);
    }
  }

  private async load(connector: Connector): Promise<void> {
    this.list = { is: 'loading' };
    this.detail = { is: 'none' };
    this.selected = null;
    try {
      const { result, connector_metadata } = await this.loadPage(connector, null);
      if (connector.id !== this.connector?.id) return;
      this.list = { is: 'loaded', notes: result, meta: connector_metadata, isLoadingMore: false };
    } catch (error) {
      this.list = { is: 'failed', message: sentence(error) };
    }
  }

  private loadPage(connector: Connector, cursor: string | null) {
    return execute<Note[], NotesMeta>(connector.id, 'notes', 'list', {
      page_size: pageSize,
      ...(cursor === null ? {} : { cursor }),
    });
  }

  private async loadMore(): Promise<void> {
    const { connector, list } = this;
    if (!connector || list.is !== 'loaded' || list.isLoadingMore) return;
    this.list = { ...list, isLoadingMore: true };
    try {
      const { result, connector_metadata } = await this.loadPage(connector, list.meta.cursor);
      if (connector.id !== this.connector?.id) return;
      this.list = {
        is: 'loaded',
        notes: [...list.notes, ...result],
        meta: connector_metadata,
        isLoadingMore: false,
      };
    } catch (error) {
      this.list = { is: 'failed', message: sentence(error) };
    }
  }

  private async open(id: string): Promise<void> {
    const { connector } = this;
    if (!connector) return;
    this.selected = id;
    this.detail = { is: 'loading' };
    try {
      const { result } = await execute<Note, null>(connector.id, 'notes', 'get', {
        note_id: id,
        include: 'transcript',
      });
      if (this.selected === id) this.detail = { is: 'loaded', note: result };
    } catch (error) {
      if (this.selected === id) this.detail = { is: 'failed', message: sentence(error) };
    }
  }

  protected override render() {
    return html`
      <div class="reader" ?data-open=${this.selected !== null}>
        <section class="reader-list" aria-label="Notes" aria-busy=${this.list.is === 'loading'}>
          ${this.renderList()}
        </section>
        <article class="reader-detail" aria-live="polite">${this.renderDetail()}</article>
      </div>
    `;
  }

  private renderList() {
    const { list } = this;
    switch (list.is) {
      case 'loading':
        return html`<p class="quiet" role="status">Loading notes…</p>
          ${[1, 2, 3, 4, 5, 6].map(() => html`<div class="skeleton-row" aria-hidden="true"></div>`)}`;
      case 'failed':
        return html`<div class="problem" role="alert">
          <p>${list.message}</p>
          <button class="button" @click=${this.handleRetry}>Try again</button>
        </div>`;
      case 'loaded':
        return html`
          <ul class="note-list">
            ${repeat(
              list.notes,
              ({ id }) => id,
              note => this.renderRow(note),
            )}
          </ul>
          ${list.notes.length === 0 ? html`<p class="quiet">This account has no notes yet.</p>` : nothing}
          ${
            list.meta.has_more
              ? html`<button class="button more" ?disabled=${list.isLoadingMore} @click=${this.loadMore}>
                  ${list.isLoadingMore ? 'Loading…' : 'Older notes'}
                </button>`
              : nothing
          }
        `;
    }
  }

  private renderRow(note: Note) {
    return html`<li>
      <button
        class="note-row"
        data-note=${note.id}
        aria-current=${this.selected === note.id ? 'true' : 'false'}
        @click=${this.handleSelect}
      >
        <span class="note-title" dir="auto">${note.title ?? 'Untitled note'}</span>
        <span class="note-meta"
          >${day(note.created_at)} ·
          <span dir="auto">${note.owner?.name ?? note.owner?.email ?? ''}</span></span
        >
      </button>
    </li>`;
  }

  private renderDetail() {
    const { detail } = this;
    switch (detail.is) {
      case 'none':
        return html`<p class="quiet placeholder">Select a note to read its summary and transcript.</p>`;
      case 'loading':
        return html`<p class="quiet">Loading note…</p>`;
      case 'failed':
        return html`<div class="problem" role="alert"><p>${detail.message}</p></div>`;
      case 'loaded':
        return this.renderNote(detail.note);
    }
  }

  private renderNote(note: Note) {
    const people = (note.attendees ?? [])
      .map(({ name, email }) => name ?? email)
      .filter(person => person !== null);
    return html`
      <button class="button back" @click=${this.handleBack}>All notes</button>
      <h2 dir="auto">${note.title ?? 'Untitled note'}</h2>
      <p class="quiet">
        ${day(note.created_at)}${people.length > 0 ? html` · <span dir="auto">${people.join(', ')}</span>` : nothing}
      </p>
      <p class="summary" dir="auto">${note.summary_text ?? 'No summary.'}</p>
      ${
        note.transcript && note.transcript.length > 0
          ? html`<h3>Transcript</h3>
              <ol class="transcript">
                ${note.transcript.map(
                  ({ speaker, text }) =>
                    html`<li>
                      <span class="speaker" dir="auto"
                        >${speaker?.name ?? (speaker?.source === 'microphone' ? 'Me' : 'Them')}</span
                      >
                      <span dir="auto">${text}</span>
                    </li>`,
                )}
              </ol>`
          : nothing
      }
    `;
  }

  private handleSelect(event: Event): void {
    const id = (event.currentTarget as HTMLElement).dataset['note'];
    if (id !== undefined) void this.open(id);
  }

  private handleRetry(): void {
    if (this.connector) void this.load(this.connector);
  }

  private handleBack(): void {
    this.selected = null;
    this.detail = { is: 'none' };
  }
}

customElements.define('notes-view', NotesView);

function day(timestamp: string | null): string {
  if (timestamp === null) return '';
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(new Date(timestamp));
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Try again.';
}
