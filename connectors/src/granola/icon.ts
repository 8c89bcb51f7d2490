/** Our own icon: a page of notes with a spark where they were summarized. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" role="img" aria-label="Meeting notes">
  <rect width="48" height="48" rx="11" fill="#2c6e49"/>
  <path d="M12 15h9M12 24h14M12 33h24" fill="none" stroke="#f7f3e3" stroke-width="4.6" stroke-linecap="round"/>
  <path d="M34 8.5c1 5.2 2.8 7 8 8-5.2 1-7 2.8-8 8-1-5.2-2.8-7-8-8 5.2-1 7-2.8 8-8z" fill="#f2c14e"/>
</svg>`;
