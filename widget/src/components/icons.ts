import { html, type TemplateResult } from 'lit';

/**
 * Draws a decorative icon in the colour and size of the text around it.
 * @param path the strokes in a 24 by 24 view box.
 * @param isMirrored flips the icon in right-to-left text, for icons that point in a direction.
 */
export function drawIcon(path: string, isMirrored = false): TemplateResult {
  return html`<svg class="icon ${isMirrored ? 'mirrored' : ''}" viewBox="0 0 24 24" aria-hidden="true">
    <path d=${path} />
  </svg>`;
}

/** The icons in the catalog. The icons for later screens are in step-icons.ts. */
export const icons = {
  search: drawIcon('M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0M16 16l4 4'),
  forward: drawIcon('m9.5 6 6 6-6 6', true),
  back: drawIcon('m14.5 6-6 6 6 6', true),
  check: drawIcon('m5 12.5 4.5 4.5L19 7.5'),
  close: drawIcon('m7 7 10 10M17 7 7 17'),
  alert: drawIcon('M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0M12 7.5v5M12 16v.2'),
  offline: drawIcon('M3 9a13 13 0 0 1 18 0M6.5 13a8 8 0 0 1 11 0M10 17a3 3 0 0 1 4 0M4 4l16 16'),
  arrows: drawIcon('M4 8.5h16l-4-4M20 15.5H4l4 4'),
  plug: drawIcon('M9 4v4m6-4v4M7 8h10v3a5 5 0 0 1-10 0zM12 16v4'),
};
