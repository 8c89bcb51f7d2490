import { hueOf } from '@connector-auth/api/connection-state';
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { httpAddress } from '../service/http-address.ts';

/** The URLs of images that failed to load. */
const failed = new Set<string>();

/** Retries images that failed to load, in case the cause was a network error. */
export function retryIcons(): void {
  failed.clear();
}

/**
 * Renders a source's icon, or the first letter of its name if the icon is missing or fails to load. The icon
 * is decorative.
 */
export function sourceIcon(
  name: string,
  iconUrl: string | undefined,
  size = '',
  part = 'icon',
): TemplateResult {
  // Split by code point, because half a surrogate pair would be shown as a box.
  const [letter = ''] = name.trim();
  // A row may be reused for another source and must not show the previous image while the new one loads.
  const image = keyed(
    iconUrl,
    html`<img loading="lazy" decoding="async" alt="" src=${iconUrl} @error=${hide} />`,
  );
  return html`<span class="tile ${size}" part=${part} aria-hidden="true">
    ${isImage(iconUrl) && !failed.has(iconUrl ?? '') ? image : nothing}<span
      class="letter"
      .style=${`--_hue:${hueOf(name)}`}
      >${letter.toUpperCase()}</span
    >
  </span>`;
}

function isImage(url: string | undefined): boolean {
  return !!httpAddress(url) || /^data:image\//i.test(url ?? '');
}

/** Hides an image that failed to load. The style sheet then shows the letter instead. */
function hide({ target }: Event): void {
  // The handler is bound only to the images above.
  const image = target as HTMLImageElement;
  failed.add(image.getAttribute('src') ?? '');
  image.hidden = true;
}
