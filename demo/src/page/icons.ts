import { svg, type SVGTemplateResult } from 'lit';

const icon = (paths: SVGTemplateResult) =>
  svg`<svg viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`;

export const homeIcon = icon(svg`<path d="M3 9l7-6 7 6v8h-5v-5H8v5H3z"/>`);
export const plugIcon = icon(svg`<path d="M7 3v4M13 3v4M5 7h10v3a5 5 0 0 1-10 0zM10 15v3"/>`);
export const bookIcon = icon(svg`<path d="M6 3h8v14l-4-2.6L6 17z" fill="currentColor"/>`);
export const tableIcon = icon(svg`<path d="M3 4h14v12H3zM3 8h14M8 8v8"/>`);
export const codeIcon = icon(svg`<path d="M7 6l-4 4 4 4M13 6l4 4-4 4"/>`);
export const closeIcon = icon(svg`<path d="M5 5l10 10M15 5L5 15"/>`);
export const checkIcon = icon(svg`<path d="M4.5 10.5l3.5 3.5 7.5-8"/>`);
export const boltIcon = icon(svg`<path d="M11 2.5L4.5 11.5H9L8.5 17.5 15.5 8.5H11z"/>`);
export const searchIcon = icon(svg`<circle cx="9" cy="9" r="5"/><path d="M13 13l4 4"/>`);
export const chatIcon = icon(svg`<path d="M3.5 4.5h13v9H10l-3.5 3v-3h-3z"/>`);
export const arrowUpIcon = icon(svg`<path d="M10 16V4M5 9l5-5 5 5"/>`);
export const stopIcon = icon(svg`<rect x="5.5" y="5.5" width="9" height="9" rx="1.5" fill="currentColor"/>`);
