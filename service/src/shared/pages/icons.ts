import { Html, html } from '../http/html.ts';

/** The tone of an outcome. */
export type Tone = 'good' | 'bad' | 'warn';

export function tile(image: string | null): Html | string {
  return image === null ? '' : html`<span class="tile"><img src="${image}" alt="" /></span>`;
}

/** Shows the integrator's logo, or the first letter of its name if it has none. */
export function logoTile(logo: string | null, integrator: string | null): Html | string {
  if (logo !== null) return tile(logo);
  // Split by code point, because half a surrogate pair would be shown as a box.
  const [letter] = integrator?.trim() ?? '';
  return letter ? html`<span class="tile letter" aria-hidden="true">${letter.toUpperCase()}</span>` : '';
}

export const arrows = new Html(
  '<svg class="arrows" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 9h15m-4-4 4 4-4 4M20 15H5m4 4-4-4 4-4"/></svg>',
);

export function toneIcon(tone: Tone): Html {
  return html`<span class="tone ${tone}"
    ><svg viewBox="0 0 24 24" aria-hidden="true">${new Html(tonePaths[tone])}</svg></span
  >`;
}

const tonePaths: Readonly<Record<Tone, string>> = {
  good: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  bad: '<path d="m7 7 10 10M17 7 7 17"/>',
  warn: '<path d="M12 6v7m0 4.4v.1"/>',
};
