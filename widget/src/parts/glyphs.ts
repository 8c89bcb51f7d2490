import { html, type TemplateResult } from 'lit';

const eye =
  'M2.5 12S6 5.5 12 5.5s9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12M14.8 12a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0';

/** The drawn signs: strokes on a field of 24 by 24. */
const strokes = {
  search: 'M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0M16 16l4 4',
  forward: 'm9.5 6 6 6-6 6',
  back: 'm14.5 6-6 6 6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'm7 7 10 10M17 7 7 17',
  alert: 'M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0M12 7.5v5M12 16v.2',
  show: eye,
  hide: `${eye}M4 4l16 16`,
  lock: 'M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3',
  leave: 'M9 6H5v13h13v-4M13 5h6v6M19 5l-8 8',
  offline: 'M3 9a13 13 0 0 1 18 0M6.5 13a8 8 0 0 1 11 0M10 17a3 3 0 0 1 4 0M4 4l16 16',
  plug: 'M9 4v4m6-4v4M7 8h10v3a5 5 0 0 1-10 0zM12 16v4',
} as const;

export type GlyphName = keyof typeof strokes;

/** A drawn sign in the colour and size of the text. Decoration: what it means is said in words beside it. */
export function glyph(name: GlyphName): TemplateResult {
  // Signs that point somewhere are mirrored where one reads from right to left; the style sheet knows which.
  return html`<svg class="glyph ${name}-sign" viewBox="0 0 24 24" aria-hidden="true">
    <path d=${strokes[name]} />
  </svg>`;
}
