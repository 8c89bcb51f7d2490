/** Our own icon: a magnifying glass over rising bars. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" role="img" aria-label="Search advertising">
  <rect width="48" height="48" rx="11" fill="#2459c4"/>
  <path d="M31.5 31.5 38.5 38.5" stroke="#ffc947" stroke-width="5.6" stroke-linecap="round"/>
  <circle cx="21.5" cy="21.5" r="12" fill="none" stroke="#ffffff" stroke-width="4.2"/>
  <path d="M17.2 25v-2M21.5 25v-5M25.8 25v-8" fill="none" stroke="#ffffff" stroke-width="2.8" stroke-linecap="round"/>
</svg>`;
