import type { Connector } from '@connector-auth/api';
import { html, LitElement, type ReactiveController } from 'lit';

/** An element of Fieldbook. It has no shadow root, so the page has one stylesheet. */
export class PageElement extends LitElement {
  protected override createRenderRoot(): this {
    return this;
  }
}

/** Loads a value for an element, and again whenever its key changes. Shows the previous one meanwhile. */
export class Loader<Value> implements ReactiveController {
  value: Value | null = null;
  error: string | null = null;
  #key: string | null = null;

  /** @param keyOf returns null while there is nothing to load. */
  constructor(
    private readonly host: LitElement,
    private readonly keyOf: () => string | null,
    private readonly load: () => Promise<Value>,
  ) {
    host.addController(this);
  }

  hostUpdate(): void {
    const key = this.keyOf();
    if (key === this.#key) return;
    this.#key = key;
    if (key !== null) void this.#run(key);
  }

  readonly reload = (): void => {
    this.error = null;
    this.host.requestUpdate();
    if (this.#key !== null) void this.#run(this.#key);
  };

  async #run(key: string): Promise<void> {
    const outcome = await this.load().then(
      value => ({ value, error: null }),
      (error: unknown) => ({ value: this.value, error: messageOf(error) }),
    );
    // The key may have changed in the meantime.
    if (key !== this.#key) return;
    Object.assign(this, outcome);
    this.host.requestUpdate();
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Try again.';
}

/** Returns a key that changes when a type of data has been synced, or more of it imported. */
export function versionOf({ id, sync }: Connector, entity: string): string {
  const state = sync.entities[entity];
  return `${id} ${entity} ${state?.last_synced_at ?? state?.records ?? 0}`;
}

export function renderError(message: string, retry: () => void) {
  return html`<div class="problem" role="alert">
    <p>${message}</p>
    <button class="button" @click=${retry}>Try again</button>
  </div>`;
}

export function renderSkeleton(lines: number) {
  return html`<div class="skeletons" role="status">
    <span class="visually-hidden">Loading…</span>
    ${Array.from({ length: lines }, () => html`<div class="skeleton"></div>`)}
  </div>`;
}
