/** Our own icon: a voice, shown as a wave of bars inside a speech bubble. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" role="img" aria-label="Sales calls">
  <rect width="48" height="48" rx="11" fill="#4b3fa8"/>
  <path d="M13 11h22a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H24l-7 6.5V33h-4a4 4 0 0 1-4-4V15a4 4 0 0 1 4-4z" fill="#f6f3fb"/>
  <path d="M15.5 20v4M20 17v10M24.5 14.5v15M29 18.5v7M33 20.5v3" stroke="#e0673a" stroke-width="2.6" stroke-linecap="round"/>
</svg>`;
