import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { httpAddress } from '../service/http-address.ts';

/** Addresses that no picture could be had from. */
const failed = new Set<string>();

/** Has every picture asked for again: it may have been the connection. */
export function retryIcons(): void {
  failed.clear();
}

/**
 * A source's icon in its tile; the first letter of its name where there is no icon, or it cannot be had. Decoration: the
 * name is beside it.
 */
export function sourceIcon(name: string, iconUrl: string | undefined, size = ''): TemplateResult {
  // By code point: half a surrogate pair would be drawn as a box.
  const [letter = ''] = name.trim();
  // A row may be drawn again for another source: the picture of the one before must not linger.
  const image = keyed(
    iconUrl,
    html`<img loading="lazy" decoding="async" alt="" src=${iconUrl} @error=${hide} />`,
  );
  return html`<span class="tile ${size}" part="icon" aria-hidden="true">
    ${httpAddress(iconUrl) && !failed.has(iconUrl ?? '') ? image : nothing}<span class="letter"
      >${letter.toUpperCase()}</span
    >
  </span>`;
}

/** The style sheet shows the letter then. */
function hide({ target }: Event): void {
  // Bound to the images above.
  const image = target as HTMLImageElement;
  failed.add(image.getAttribute('src') ?? '');
  image.hidden = true;
}
