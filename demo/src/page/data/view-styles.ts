import { css } from 'lit';

/** The styles of the view, which has no shadow root. */
export const viewStyles = css`
  .tabs {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin-block-end: 1rem;
  }
  .button[aria-pressed='true'] {
    border-color: var(--brand);
    box-shadow: inset 0 0 0 1px var(--brand);
  }
  .search-form {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem;
    align-items: end;
    margin-block-end: 0.75rem;
  }
  .search-form label {
    display: grid;
    gap: 0.2rem;
    font-size: 0.85rem;
    color: var(--quiet);
  }
  .search-form .button {
    block-size: 2.4rem;
    padding-block: 0;
  }
  .table {
    margin-block-start: 0.75rem;
    overflow: auto;
    max-block-size: max(18rem, calc(100dvh - 23rem));
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: 1rem;
  }
  table {
    min-inline-size: 100%;
    border-collapse: collapse;
    font-size: 0.9rem;
  }
  th,
  td {
    text-align: start;
    padding: 0.5rem 0.9rem;
    border-block-end: 1px solid var(--line);
    max-inline-size: 22rem;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  th {
    position: sticky;
    inset-block-start: 0;
    background: var(--side);
  }
  th button {
    font: inherit;
    font-weight: 600;
    color: inherit;
    background: none;
    border: 0;
    padding: 0;
    cursor: pointer;
  }
  td.number {
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
`;
