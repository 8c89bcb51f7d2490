/** Our own icon: a page of notes with a folded corner. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" role="img" aria-label="Meeting notes">
  <rect width="48" height="48" rx="11" fill="#2f6b4f"/>
  <path d="M14 11h14l8 8v16a3 3 0 0 1-3 3H14a3 3 0 0 1-3-3V14a3 3 0 0 1 3-3z" fill="#f4f1e6"/>
  <path d="M28 11l8 8h-6a2 2 0 0 1-2-2z" fill="#bcd3c1"/>
  <path d="M16 23h13M16 28h16M16 33h9" stroke="#2f6b4f" stroke-width="2.4" stroke-linecap="round"/>
</svg>`;
