import { html, type TemplateResult } from 'lit';

/**
 * A drawn sign in the colour and size of the text. Decoration: what it means is said in words beside it.
 * @param path strokes on a field of 24 by 24.
 * @param isTurning it points somewhere: mirrored where one reads from right to left.
 */
export function drawGlyph(path: string, isTurning = false): TemplateResult {
  return html`<svg class="glyph ${isTurning ? 'turning' : ''}" viewBox="0 0 24 24" aria-hidden="true">
    <path d=${path} />
  </svg>`;
}

/** The signs of the first view; those of the steps behind it are in step-glyphs.ts. */
export const glyphs = {
  search: drawGlyph('M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0M16 16l4 4'),
  forward: drawGlyph('m9.5 6 6 6-6 6', true),
  back: drawGlyph('m14.5 6-6 6 6 6', true),
  check: drawGlyph('m5 12.5 4.5 4.5L19 7.5'),
  close: drawGlyph('m7 7 10 10M17 7 7 17'),
  alert: drawGlyph('M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0M12 7.5v5M12 16v.2'),
  offline: drawGlyph('M3 9a13 13 0 0 1 18 0M6.5 13a8 8 0 0 1 11 0M10 17a3 3 0 0 1 4 0M4 4l16 16'),
  plug: drawGlyph('M9 4v4m6-4v4M7 8h10v3a5 5 0 0 1-10 0zM12 16v4'),
};
