import { svg, type SVGTemplateResult } from 'lit';

const icon = (paths: SVGTemplateResult) =>
  svg`<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`;

export const homeIcon = icon(svg`<path d="M3 9l7-6 7 6v8h-5v-5H8v5H3z"/>`);
export const plugIcon = icon(svg`<path d="M7 3v4M13 3v4M5 7h10v3a5 5 0 0 1-10 0zM10 15v3"/>`);
export const bookIcon = icon(svg`<path d="M6 3h8v14l-4-2.6L6 17z" fill="currentColor"/>`);
export const flaskIcon = icon(
  svg`<path d="M8 3h4M9 3v5l-4.5 7.5A1 1 0 0 0 5.4 17h9.2a1 1 0 0 0 .9-1.5L11 8V3M7 13h6"/>`,
);
export const tableIcon = icon(svg`<path d="M3 4h14v12H3zM3 8h14M8 8v8"/>`);
export const slidersIcon = icon(
  svg`<path d="M3 6h7M14 6h3M3 14h3M10 14h7"/><circle cx="12" cy="6" r="2"/><circle cx="8" cy="14" r="2"/>`,
);
export const activityIcon = icon(svg`<path d="M2.5 10h3.2l2.6-6 3.6 12 2.5-6h3.1"/>`);
export const closeIcon = icon(svg`<path d="M5 5l10 10M15 5L5 15"/>`);
export const keyIcon = icon(
  svg`<circle cx="7" cy="13" r="3.2"/><path d="M9.4 10.6L16 4M13.5 6.5l2 2M11.5 8.5l1.5 1.5"/>`,
);
export const chatIcon = icon(
  svg`<path d="M3.5 4.5h13v9H10l-3.5 3v-3h-3z"/><path d="M7 9h.01M10 9h.01M13 9h.01"/>`,
);
export const arrowUpIcon = icon(svg`<path d="M10 16V4M5 9l5-5 5 5"/>`);
export const stopIcon = icon(svg`<rect x="5.5" y="5.5" width="9" height="9" rx="1.5" fill="currentColor"/>`);
