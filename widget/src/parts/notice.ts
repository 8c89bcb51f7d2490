import { html, nothing, type TemplateResult } from 'lit';
import type { FailureWords } from '../messages/failure-words.ts';
import { glyph } from './glyphs.ts';

/** A failure told inside a screen that stays usable. Takes the focus when there is no better place for it. */
export function failureNotice({ title, hint }: FailureWords, reference: string | null): TemplateResult {
  return html`<div class="notice" part="notice" tabindex="-1">
    ${glyph('alert')}
    <div>
      <strong>${title}</strong>
      <p>${hint}</p>
      ${reference === null ? nothing : html`<p class="reference">${reference}</p>`}
    </div>
  </div>`;
}
