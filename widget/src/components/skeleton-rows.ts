import { html, type TemplateResult } from 'lit';

/**
 * Renders placeholders for rows that are loading.
 * @param row the class of a row.
 * @param shape the class of what is at its start: `tile` or `box`.
 */
export function skeletonRows(row: string, shape: string): TemplateResult[] {
  return Array.from(
    { length: 4 },
    () =>
      html`<div class=${row}>
        <span class="skeleton ${shape}" part="skeleton"></span>
        <span class="text"
          ><span class="skeleton bar" part="skeleton"></span
          ><span class="skeleton bar short" part="skeleton"></span
        ></span>
      </div>`,
  );
}
