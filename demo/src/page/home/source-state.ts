import { css, html, nothing } from 'lit';
import type { Loader } from '../loader.ts';
import type { Freshness } from './freshness.ts';

/** Shows a list of a source: its heading, how current it is, and its rows as soon as they are loaded. */
export function sourceList<Value>(
  rows: Loader<Value>,
  {
    heading,
    noun,
    freshness,
    render,
  }: {
    readonly heading: string;
    /** What is loaded, for screen readers. */
    readonly noun: string;
    readonly freshness: Freshness;
    readonly render: (value: Value) => unknown;
  },
) {
  return html`<section class="card" aria-labelledby="title">
    <div class="card-head">
      <h2 id="title">${heading}</h2>
      ${sourceState(freshness)}
    </div>
    ${renderRows()}
  </section>`;

  function renderRows(): unknown {
    const { state } = rows;
    switch (state.is) {
      case 'loading':
        return html`<div class="loading" role="status">
          <span class="visually-hidden">Loading ${noun}…</span>
          ${[1, 2, 3, 4].map(() => html`<div class="skeleton row-skeleton"></div>`)}
        </div>`;
      case 'failed':
        return problem(state.message, rows.reload);
      case 'loaded':
        return render(state.value);
    }
  }
}

/** Shows a source and how current its data is. */
export function sourceState(freshness: Freshness) {
  switch (freshness.is) {
    case 'fresh':
      return html`<p class="quiet small">${freshness.text}</p>`;
    case 'importing':
      return html`<p class="quiet small importing" role="status">${freshness.text}</p>`;
    case 'stale':
      return html`<div class="stale small" role="status">
        <p>${freshness.text}</p>
        ${freshness.hasToReconnect ? html`<a class="button small" href="#connections">Reconnect</a>` : nothing}
      </div>`;
  }
}

/** Takes the place of data that has not been imported yet. */
export function importing(freshness: Freshness, what: string) {
  const share = freshness.is === 'importing' ? freshness.progress : null;
  return html`<div class="import">
    <p>
      <strong>${what} will appear here as soon as the first import is done.</strong>
      <span class="quiet">It continues if you leave this page.</span>
    </p>
    ${
      share === null
        ? html`<progress aria-label="Import"></progress>`
        : html`<progress aria-label="Import" max="1" .value=${share}></progress>`
    }
  </div>`;
}

/** Offers to try a failed request again. */
export function problem(message: string, retry: () => void) {
  return html`<div class="problem" role="alert">
    <p>${message}</p>
    <button class="button small" @click=${retry}>Try again</button>
  </div>`;
}

export const sourceStyles = css`
  .stale {
    flex-basis: 100%;
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1rem;
    align-items: center;
    justify-content: space-between;
    color: var(--warn);
    background: var(--warn-tint);
    border-radius: var(--radius-small);
    padding: 0.5rem 0.75rem;
  }
  .import {
    display: grid;
    gap: 0.75rem;
    align-content: center;
    min-block-size: 8rem;
    max-inline-size: 30rem;
  }
  .import span {
    display: block;
  }
  .loading {
    display: grid;
    gap: 0.75rem;
  }
  .row-skeleton {
    min-block-size: 2.5rem;
  }
  progress {
    inline-size: 100%;
    block-size: 0.4rem;
    accent-color: var(--brand);
  }
`;
