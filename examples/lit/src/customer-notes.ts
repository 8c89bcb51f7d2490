import { ConnectorAuthController } from '@connector-auth/widget/lit';
import { html, LitElement, nothing } from 'lit';

interface Note {
  readonly id: string;
  readonly title: string | null;
}

/** The customer's notes. Reads them again when Granola is connected or disconnected. */
class CustomerNotes extends LitElement {
  static override properties = { notes: { state: true } };

  private notes: readonly Note[] | null = null;
  private words = '';
  /** The ids of the customer's Granola connectors. Undefined until they are known. */
  private connected: string | undefined;
  private reading = new AbortController();
  private readonly flow = new ConnectorAuthController(this);

  override willUpdate() {
    if (!this.flow.isLoaded) return;
    const connected = this.flow
      .connectorsOf('granola')
      .map(({ id }) => id)
      .join();
    if (connected === this.connected) return;
    this.connected = connected;
    this.notes = null;
    if (connected) void this.read();
  }

  override render() {
    if (this.connected === '') {
      return html`<p role="status">No notes</p>
        <connector-auth-button source="granola"></connector-auth-button>`;
    }
    return html`
      <p><connector-auth-status source="granola"></connector-auth-status></p>
      <form role="search" @submit=${this.search}>
        <label>Search notes <input type="search" name="words" /></label>
        <button>Search</button>
      </form>
      <p role="status">${this.notes?.length === 0 ? 'No notes' : nothing}</p>
      <ul aria-label="Notes">
        ${this.notes?.map(({ title }) => html`<li>${title ?? 'Untitled'}</li>`)}
      </ul>
    `;
  }

  private readonly search = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    this.words = form.querySelector('input')?.value ?? '';
    void this.read();
  };

  private async read() {
    this.reading.abort();
    this.reading = new AbortController();
    const { signal } = this.reading;
    try {
      const response = await fetch(`/api/notes?${new URLSearchParams({ words: this.words })}`, { signal });
      if (!response.ok) throw new Error(`Reading the notes failed: ${response.status}`);
      this.notes = await response.json();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

customElements.define('customer-notes', CustomerNotes);
