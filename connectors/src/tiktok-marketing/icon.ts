/** Our own icon: an upright screen that plays a clip, with a rising curve beside it. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" role="img" aria-label="Short-video advertising">
  <rect width="48" height="48" rx="11" fill="#1f2a44"/>
  <rect x="10" y="9" width="18" height="30" rx="4" fill="#f5f3ee"/>
  <path d="M16 18.4v11.2a1 1 0 0 0 1.5.9l8-5.6a1 1 0 0 0 0-1.7l-8-5.6a1 1 0 0 0-1.5.8z" fill="#e4572e"/>
  <path d="M32 37c3.2-3.4 5-8.5 5.4-15.5" fill="none" stroke="#7fd1c7" stroke-width="2.8" stroke-linecap="round"/>
  <path d="M33 24.5l4.6-5 4 5.4" fill="none" stroke="#7fd1c7" stroke-width="2.8" stroke-linecap="round" stroke-linejoin="round"/>
</svg>`;
