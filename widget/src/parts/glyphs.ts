import { html, type TemplateResult } from 'lit';

/** The drawn signs: strokes on a field of 24 by 24. */
const strokes = {
  search: 'M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0ZM16 16l4 4',
  forward: 'm9.5 6 6 6-6 6',
  back: 'm14.5 6-6 6 6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'm7 7 10 10M17 7 7 17',
  alert: 'M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0ZM12 7.5v5M12 16v.2',
  show: 'M2.5 12S6 5.5 12 5.5s9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12ZM14.8 12a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0Z',
  hide: 'M9.5 5.9A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.7 3.5M6 7.7A16.5 16.5 0 0 0 2.5 12s3.5 6.5 9.5 6.5a9 9 0 0 0 4.5-1.3M4 4l16 16',
  lock: 'M7 10.5h10a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2ZM8 10.5V8a4 4 0 0 1 8 0v2.5',
  leave:
    'M9 6H6.5A1.5 1.5 0 0 0 5 7.5v10A1.5 1.5 0 0 0 6.5 19h10a1.5 1.5 0 0 0 1.5-1.5V15M13 5h6v6M19 5l-8 8',
  offline: 'M7 18.5a4.5 4.5 0 0 1-.8-8.9M9.5 6.1A6 6 0 0 1 18 11a3.8 3.8 0 0 1 2.3 6.3M4 4l16 16',
  plug: 'M9 3.5V8m6-4.5V8M6.5 8h11v3a5.5 5.5 0 0 1-11 0V8ZM12 16.5v4',
} as const;

export type GlyphName = keyof typeof strokes;

/** A drawn sign in the colour and size of the text. Decoration: what it means is said in words beside it. */
export function glyph(name: GlyphName): TemplateResult {
  // Signs that point somewhere are mirrored where one reads from right to left; the style sheet knows which.
  return html`<svg class="glyph ${name}-sign" viewBox="0 0 24 24" aria-hidden="true">
    <path d=${strokes[name]} />
  </svg>`;
}
