import { css } from 'lit';

/** The styles of the view, which has no shadow root. */
export const viewStyles = css`
  .reader {
    display: grid;
    grid-template-columns: minmax(16rem, 22rem) minmax(0, 1fr);
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: 1rem;
    overflow: hidden;
    block-size: clamp(22rem, calc(100dvh - 12.5rem), 46rem);
  }
  .reader-list {
    overflow: auto;
    border-inline-end: 1px solid var(--line);
    padding: 0.6rem;
  }
  .reader-list > .quiet {
    padding: 0.75rem;
  }
  .note-list {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
    gap: 0.15rem;
  }
  .note-row {
    font: inherit;
    text-align: start;
    inline-size: 100%;
    display: grid;
    gap: 0.1rem;
    padding: 0.6rem 0.75rem;
    border: 0;
    border-radius: 0.6rem;
    background: none;
    color: inherit;
    cursor: pointer;
  }
  .note-row:hover,
  .note-row[aria-current='true'] {
    background: var(--side);
  }
  .note-title {
    font-weight: 550;
    line-height: 1.35;
    overflow-wrap: anywhere;
  }
  .note-meta {
    color: var(--quiet);
    font-size: 0.85rem;
  }
  .more {
    margin: 0.75rem;
  }
  .reader-detail {
    overflow: auto;
    padding: 1.5rem clamp(1rem, 3vw, 2.25rem) 2.5rem;
  }
  .placeholder {
    display: grid;
    place-items: center;
    block-size: 100%;
    text-align: center;
  }
  .summary {
    max-inline-size: 65ch;
  }
  .transcript {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
    gap: 0.85rem;
    max-inline-size: 65ch;
  }
  .transcript li {
    display: grid;
    grid-template-columns: 7rem minmax(0, 1fr);
    gap: 0.75rem;
  }
  .speaker {
    color: var(--quiet);
    font-size: 0.9rem;
  }
  .back {
    display: none;
    margin-block-end: 1rem;
  }
  .skeleton-row {
    block-size: 3.1rem;
    margin: 0.5rem 0.75rem;
    border-radius: 0.6rem;
    background: var(--side);
  }
`;
