/** Our own icon: a voice, shown as a wave of bars. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" role="img" aria-label="Sales calls">
  <rect width="48" height="48" rx="11" fill="#6236c8"/>
  <path d="M10 21v6M17 15v18M31 17v14M38 21v6" fill="none" stroke="#ffffff" stroke-width="4.6" stroke-linecap="round"/>
  <path d="M24 10v28" fill="none" stroke="#ff9f6b" stroke-width="4.6" stroke-linecap="round"/>
</svg>`;
