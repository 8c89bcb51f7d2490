/** Our own icon: a short vertical video between two of its neighbors in a feed. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" role="img" aria-label="Short-video advertising">
  <rect width="48" height="48" rx="11" fill="#17171f"/>
  <rect x=".75" y=".75" width="46.5" height="46.5" rx="10.25" fill="none" stroke="#ffffff" stroke-opacity=".22" stroke-width="1.5"/>
  <path d="M9 17v14" stroke="#3fd6d0" stroke-width="4.6" stroke-linecap="round"/>
  <path d="M39 17v14" stroke="#ff5c7a" stroke-width="4.6" stroke-linecap="round"/>
  <rect x="15" y="9" width="18" height="30" rx="5" fill="#ffffff"/>
  <path d="M21.5 18.8v10.4a1 1 0 0 0 1.5.9l7.7-5.2a1 1 0 0 0 0-1.7L23 17.9a1 1 0 0 0-1.5.9z" fill="#17171f"/>
</svg>`;
