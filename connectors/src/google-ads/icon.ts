/** Our own icon: a magnifying glass over rising bars. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" role="img" aria-label="Search advertising">
  <rect width="48" height="48" rx="11" fill="#28407a"/>
  <path d="M11 37V27M18 37V22M25 37V31" stroke="#9db4e8" stroke-width="4" stroke-linecap="round"/>
  <circle cx="28" cy="19" r="8.5" fill="#28407a" stroke="#f6f3e8" stroke-width="3"/>
  <path d="M34.4 25.4 39 30" stroke="#f2b84b" stroke-width="4" stroke-linecap="round"/>
</svg>`;
