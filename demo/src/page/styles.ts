import { css } from 'lit';

/** The look that all of Fieldbook's elements share. public/style.css defines the custom properties. */
export const sheet = css`
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
  :focus-visible {
    outline: 2px solid var(--brand);
    outline-offset: 2px;
  }
  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  h1,
  h2,
  h3 {
    margin: 0;
    line-height: 1.25;
    letter-spacing: -0.015em;
    text-wrap: balance;
  }
  h1 {
    font-size: 1.5rem;
    font-weight: 650;
  }
  h2 {
    font-size: 1.0625rem;
    font-weight: 620;
  }
  h3 {
    font-size: 0.9375rem;
    font-weight: 600;
  }
  p {
    margin: 0;
  }
  a {
    color: var(--brand);
    text-underline-offset: 0.18em;
  }
  .quiet {
    color: var(--quiet);
  }
  .small {
    font-size: 0.8125rem;
  }
  .number {
    font-variant-numeric: tabular-nums;
    text-align: end;
  }
  svg {
    flex: none;
  }

  .card {
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    box-shadow: var(--shadow);
    padding: 1.1rem 1.25rem;
  }
  .card-head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.35rem 1rem;
    margin-block-end: 0.85rem;
  }

  .button {
    font: inherit;
    font-weight: 550;
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.45rem;
    min-block-size: 2.25rem;
    padding: 0.25rem 0.85rem;
    border-radius: var(--radius-small);
    border: 1px solid var(--line);
    background: var(--card);
    color: var(--ink);
    box-shadow: var(--shadow);
    cursor: pointer;
    text-decoration: none;
    white-space: nowrap;
  }
  .button:hover {
    background: var(--hover);
  }
  .button.primary {
    background: var(--brand);
    border-color: var(--brand);
    color: var(--on-brand);
  }
  .button.primary:hover {
    background: color-mix(in oklab, var(--brand) 90%, var(--ink));
  }
  .button.plain {
    background: none;
    border-color: transparent;
    box-shadow: none;
    color: var(--quiet);
  }
  .button.plain:hover {
    color: var(--ink);
    background: var(--hover);
  }
  .button.small {
    min-block-size: 1.75rem;
    padding: 0.1rem 0.6rem;
    font-size: 0.8125rem;
  }
  .button[aria-pressed='true'] {
    color: var(--brand);
    border-color: var(--brand);
    background: var(--tint);
  }
  .button[disabled] {
    opacity: 0.55;
    cursor: default;
  }

  label,
  .label {
    font-size: 0.8125rem;
    font-weight: 550;
    color: var(--quiet);
  }
  select,
  input,
  textarea {
    font: inherit;
    font-weight: 400;
    color: var(--ink);
    background: var(--card);
    border: 1px solid var(--field-line);
    border-radius: var(--radius-small);
    min-block-size: 2.25rem;
    padding-inline: 0.6rem;
    max-inline-size: 100%;
  }
  input:is([type='checkbox'], [type='radio'], [type='range']) {
    accent-color: var(--brand);
    min-block-size: 0;
  }

  /* Several choices of which one is taken, as pressed buttons or radio buttons in labels. */
  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 0.35rem;
  }

  .badge {
    display: inline-flex;
    align-items: center;
    gap: 0.35rem;
    padding: 0.1rem 0.5rem;
    border-radius: 99px;
    font-size: 0.75rem;
    font-weight: 550;
    line-height: 1.35;
    color: var(--quiet);
    background: var(--side);
    white-space: nowrap;
  }
  .badge.good {
    color: var(--good);
    background: var(--tint);
  }
  .badge.warn {
    color: var(--warn);
    background: var(--warn-tint);
  }
  .badge.bad {
    color: var(--bad);
    background: var(--bad-tint);
  }

  .table {
    overflow: auto;
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    box-shadow: var(--shadow);
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: 0.875rem;
  }
  th,
  td {
    text-align: start;
    padding: 0.5rem 0.85rem;
    border-block-end: 1px solid var(--line);
    vertical-align: baseline;
  }
  tr:last-child > td {
    border-block-end: 0;
  }
  th {
    font-weight: 600;
    font-size: 0.8125rem;
    color: var(--quiet);
    background: var(--side);
    white-space: nowrap;
  }
  tbody tr:hover {
    background: var(--hover);
  }

  /* Items that are no list to the eye, such as requests, each with lines that tell them apart. */
  .entries {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .entry {
    display: grid;
    cursor: pointer;
    list-style: none;
  }
  .entry::-webkit-details-marker {
    display: none;
  }
  .entry:hover {
    background: var(--hover);
  }
  .entry:focus-visible {
    outline-offset: -2px;
  }
  .line {
    display: flex;
    align-items: baseline;
    gap: 0.5rem;
    min-inline-size: 0;
  }
  .line > :last-child {
    flex: none;
    margin-inline-start: auto;
  }

  .empty {
    display: grid;
    justify-items: center;
    gap: 0.4rem;
    text-align: center;
    padding: 3rem 1.5rem;
    border: 1px dashed var(--line);
    border-radius: var(--radius);
    background: var(--card);
  }
  .empty p {
    color: var(--quiet);
    max-inline-size: 30rem;
    margin-block-end: 0.75rem;
  }
  .empty .mark {
    margin-block-end: 0.4rem;
  }
  .mark {
    display: grid;
    place-items: center;
    inline-size: 2.75rem;
    block-size: 2.75rem;
    border-radius: 0.8rem;
    color: var(--brand);
    background: var(--tint);
  }
  .problem {
    display: grid;
    justify-items: start;
    gap: 0.6rem;
    color: var(--bad);
    background: var(--bad-tint);
    border-radius: var(--radius);
    padding: 0.85rem 1.1rem;
  }
  .skeleton {
    border-radius: var(--radius-small);
    background: var(--side);
    min-block-size: 1rem;
  }
  @media (prefers-reduced-motion: no-preference) {
    .skeleton {
      animation: breathe 1.6s ease-in-out infinite;
    }
    @keyframes breathe {
      50% {
        opacity: 0.5;
      }
    }
  }

  code,
  pre {
    font: 0.8125rem/1.55 var(--mono);
  }
  pre {
    margin: 0;
    padding: 0.8rem 0.95rem;
    overflow: auto;
    color: var(--ink);
    background: var(--code);
    border: 1px solid var(--line);
    border-radius: var(--radius-small);
    tab-size: 2;
  }
`;
