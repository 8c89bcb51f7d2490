import { css } from 'lit';

/** The frame of the product: a side bar, or bars at the top and bottom of a phone. */
export const appStyles = css`
  :host {
    display: grid;
    grid-template: auto auto 1fr / 14.5rem minmax(0, 1fr);
    min-block-size: 100dvh;
    background: linear-gradient(to right, var(--side) 14.5rem, var(--paper) 14.5rem);
  }
  :host(:dir(rtl)) {
    background: var(--paper);
  }
  .top {
    display: contents;
  }
  connector-auth-provider {
    display: contents;
  }
  .brand,
  nav,
  .switcher {
    grid-column: 1;
    position: sticky;
    align-self: start;
  }
  .brand {
    grid-row: 1;
    inset-block-start: 0;
    display: flex;
    align-items: center;
    gap: 0.55rem;
    padding: 1.25rem 1.4rem 1rem;
    font-weight: 680;
    font-size: 1.0625rem;
    letter-spacing: -0.02em;
    color: var(--ink);
    text-decoration: none;
  }
  .brand svg {
    color: var(--brand);
  }
  nav {
    grid-row: 2;
    inset-block-start: 4rem;
    display: grid;
    gap: 0.15rem;
    padding-inline: 0.8rem;
  }
  nav a {
    display: flex;
    align-items: center;
    gap: 0.65rem;
    min-block-size: 2.25rem;
    padding-inline: 0.65rem;
    border-radius: var(--radius-small);
    color: var(--quiet);
    text-decoration: none;
    font-weight: 550;
  }
  nav a:hover {
    color: var(--ink);
  }
  nav a[aria-current] {
    color: var(--ink);
    background: var(--card);
    box-shadow: var(--shadow);
  }
  nav a[aria-current] svg {
    color: var(--brand);
  }
  .switcher {
    grid-row: 3;
    align-self: end;
    inset-block-end: 0;
    display: grid;
    gap: 0.25rem;
    padding: 1rem 1.2rem 1.25rem;
  }
  .person {
    font-size: 0.8125rem;
    color: var(--quiet);
  }
  main {
    grid-column: 2;
    grid-row: 1 / span 3;
    padding: 1.75rem clamp(1.25rem, 3.5vw, 2.75rem) 4rem;
    border-inline-start: 1px solid var(--line);
    display: grid;
    grid-template-columns: minmax(0, 80rem);
    align-content: start;
    gap: 1.25rem;
  }
  h1:focus {
    outline: none;
  }
  .head {
    display: grid;
    grid-template-columns: 1fr auto;
    align-items: center;
    gap: 0.1rem 1rem;
  }
  .head p {
    grid-column: 1 / -1;
  }
  .drawers {
    display: flex;
    gap: 0.5rem;
  }
  .drawers .button[aria-expanded='true'] {
    background: var(--hover);
  }
  .place {
    block-size: clamp(28em, 80svh, 40em);
  }
  .about {
    display: grid;
    grid-template-columns: 1fr auto;
    align-items: center;
    gap: 0.5rem 1rem;
    padding: 0.5rem 0.5rem 0.5rem 0.85rem;
    border-radius: var(--radius-small);
    font-size: 0.875rem;
    color: var(--ink);
    background: var(--tint);
  }
  /* On phones, the page itself is more important. */
  @media (width < 40rem) {
    .more {
      display: none;
    }
  }
  .about em {
    font-style: normal;
    font-weight: 600;
  }
  .news,
  .wait {
    padding: 0.5rem 0.85rem;
    border-radius: var(--radius-small);
    color: var(--good);
    background: var(--tint);
    font-weight: 550;
  }
  .wait {
    color: var(--warn);
    background: var(--warn-tint);
  }
  :is(.news, .wait):empty {
    display: none;
  }
  :host([drawer]) {
    padding-inline-end: 26rem;
  }

  @media (max-width: 72rem) {
    :host([drawer]) .head .button span {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
  }

  @media (max-width: 48rem) {
    :host {
      grid-template: auto 1fr / minmax(0, 1fr) auto;
      background: var(--paper);
    }
    .brand,
    .switcher {
      grid-row: 1;
      position: static;
      align-self: center;
      padding-block: 0.6rem;
    }
    .brand {
      padding-inline: 1rem 0.5rem;
    }
    .switcher {
      grid-column: 2;
      padding-inline: 0.5rem 1rem;
    }
    .switcher :is(label, .person) {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    nav {
      position: fixed;
      inset: auto 0 0;
      z-index: 2;
      grid-auto-flow: column;
      grid-auto-columns: 1fr;
      padding: 0.3rem 0.4rem calc(0.3rem + env(safe-area-inset-bottom));
      background: var(--card);
      border-block-start: 1px solid var(--line);
    }
    nav a {
      flex-direction: column;
      justify-content: center;
      gap: 0.1rem;
      min-block-size: 3rem;
      padding-inline: 0;
      font-size: 0.75rem;
    }
    nav a[aria-current] {
      color: var(--brand);
      box-shadow: none;
    }
    :host([drawer]) {
      padding-inline-end: 0;
    }
    .head .button span {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    main {
      grid-column: 1 / -1;
      grid-row: 2;
      border: 0;
      padding: 0.75rem 1rem 6rem;
    }
  }
`;
