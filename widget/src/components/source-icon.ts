import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { httpAddress } from '../service/http-address.ts';

/** URLs of images that failed to load. */
const failed = new Set<string>();

/** Lets images that failed load again: the connection may have been the reason. */
export function retryIcons(): void {
  failed.clear();
}

/**
 * Renders a source's icon, or the first letter of its name if the icon is missing or fails to load.
 * Decorative.
 */
export function sourceIcon(name: string, iconUrl: string | undefined, size = ''): TemplateResult {
  // By code point: half a surrogate pair would be shown as a box.
  const [letter = ''] = name.trim();
  // A row may be reused for another source: it must not show the previous image meanwhile.
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

/** Hides an image that failed to load: the style sheet shows the letter instead. */
function hide({ target }: Event): void {
  // Bound to the images above.
  const image = target as HTMLImageElement;
  failed.add(image.getAttribute('src') ?? '');
  image.hidden = true;
}
