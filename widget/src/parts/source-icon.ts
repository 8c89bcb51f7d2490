import {
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from 'lit';
import { httpAddress } from '../service/http-address.ts';

/** Remembers which icons could not be loaded, and has its host drawn again when another one fails. */
export class IconFaults implements ReactiveController {
  readonly #broken = new Set<string>();

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostConnected(): void {
    // An icon that failed while the person was offline deserves another try.
    this.#broken.clear();
  }

  isBroken(url: string): boolean {
    return this.#broken.has(url);
  }

  /** For the image's `error` event. */
  readonly handleError = (event: Event): void => {
    // Only bound to the images below.
    this.#broken.add((event.target as HTMLImageElement).src);
    this.host.requestUpdate();
  };
}

/** A source's icon in its tile; the first letter of its name where there is no icon. Decoration: the name is beside it. */
export function sourceIcon(
  { name, iconUrl }: { readonly name: string; readonly iconUrl: string | undefined },
  faults: IconFaults,
  size: 'small' | 'large' = 'small',
): TemplateResult {
  const isDrawn = iconUrl !== undefined && httpAddress(iconUrl) !== null && !faults.isBroken(iconUrl);
  return html`<span class="tile ${size}" part="icon" aria-hidden="true">
    ${
      isDrawn
        ? html`<img loading="lazy" decoding="async" alt="" src=${iconUrl} @error=${faults.handleError} />`
        : html`<span class="letter">${firstLetter(name) || nothing}</span>`
    }
  </span>`;
}

function firstLetter(name: string): string {
  // By code point: half a surrogate pair would be drawn as a box.
  return (Array.from(name.trim())[0] ?? '').toUpperCase();
}
