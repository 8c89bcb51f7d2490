import { html, nothing, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import { icons } from './icons.ts';

export interface SearchFieldOptions {
  readonly label: string;
  readonly query: string;
  /** The CSS class of the text field: `target` if it receives focus when its screen opens. */
  readonly kind?: string;
  readonly isReadonly?: boolean;
  readonly onSearch: (query: string) => void;
  /** Called when the user empties the field with its button. */
  readonly onClear: () => void;
}

/** Renders a search field, with a button that clears it. */
export function searchField(
  { label, query, kind = '', isReadonly = false, onSearch, onClear }: SearchFieldOptions,
  { clearSearch }: Messages,
): TemplateResult {
  return html`<div class="search" part="search">
    ${icons.search}
    <input
      type="search"
      class=${kind}
      part="search-input"
      aria-label=${label}
      placeholder=${label}
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      enterkeyhint="search"
      ?readonly=${isReadonly}
      .value=${query}
      @input=${({ target }: InputEvent) => {
        // Bound to the search field only.
        onSearch((target as HTMLInputElement).value);
      }}
    />
    ${
      query === ''
        ? nothing
        : html`<button
            type="button"
            class="tool"
            part="clear-button"
            aria-label=${clearSearch}
            @click=${onClear}
          >
            ${icons.close}
          </button>`
    }
  </div>`;
}
