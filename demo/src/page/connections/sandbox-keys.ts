import { html, nothing } from 'lit';
import type { OfferedVendor } from '../backend.ts';

/** Lists each vendor's first working credentials, with copy buttons. */
export function sandboxKeys(vendors: readonly OfferedVendor[]) {
  return html`<dl>
    ${vendors.map(({ name, credentials }) => {
      const working = credentials.find(({ works }) => works);
      if (!working) return nothing;
      return html`<div>
        <dt>${name}</dt>
        ${Object.entries(working.values).map(([field, value]) => {
          const label = labelOf(field);
          return html`<dd>
            <span class="quiet">${label}</span><code title=${value}>${value}</code
            ><button
              class="button small"
              aria-label="Copy ${name} ${label}"
              data-value=${value}
              @click=${handleCopy}
            >
              Copy
            </button>
          </dd>`;
        })}
      </div>`;
    })}
  </dl>`;
}

/** Converts a field name such as `api_key` to a label such as `API key`. */
function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ');
  return words.startsWith('api ') ? `API${words.slice(3)}` : words.charAt(0).toUpperCase() + words.slice(1);
}

async function handleCopy(event: Event): Promise<void> {
  const button = event.currentTarget as HTMLButtonElement;
  await navigator.clipboard.writeText(button.dataset['value'] ?? '');
  button.textContent = 'Copied';
}
