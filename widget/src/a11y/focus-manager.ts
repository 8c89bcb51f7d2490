import type { LitElement } from 'lit';
import { findFocusTarget } from './focus-target.ts';

/**
 * Moves the keyboard focus when one screen replaces another, and announces the change to screen readers.
 * Never takes the focus from the page: it only moves a focus that was in the host.
 */
export class FocusManager {
  #announcement = '';
  /** The focus was in the host when the focused element was removed, and has not been moved yet. */
  #isFocusPending = false;

  /** @param isBusy whether the host waits for a response: the focus stays pending until then. */
  constructor(
    private readonly host: LitElement,
    private readonly isBusy: () => boolean,
  ) {}

  /** The text of the live region. */
  get announcement(): string {
    return this.#announcement;
  }

  /** Has screen readers read a text. */
  announce(text: string): void {
    // Screen readers read the same text again only if it differs.
    this.#announcement = text && text === this.#announcement ? `${text}\u00a0` : text;
    this.host.requestUpdate();
  }

  /** Remembers whether the focus is in the host. Call it before a screen is replaced. */
  beforeUpdate(): void {
    if (this.host.shadowRoot?.activeElement) this.#isFocusPending = true;
  }

  /** Clears the announcement and the pending focus. */
  reset(): void {
    this.#isFocusPending = false;
    this.announce('');
  }

  /** Returns where the focus belongs on the current screen; null while the host is busy. */
  findTarget(): HTMLElement | null {
    const screen = this.isBusy() ? null : this.host.renderRoot.querySelector('.screen');
    return screen && findFocusTarget(screen);
  }

  /**
   * Waits for the new screen, then announces its heading and moves a pending focus into it.
   * @param options.isHeadingRead announces the heading: nothing more specific was announced.
   * @param options.isNewStep moves the focus; otherwise it stays where it is.
   */
  async afterUpdate({ isHeadingRead = false, isNewStep = true } = {}): Promise<void> {
    const { host } = this;
    await host.updateComplete;
    const find = (heading: string) => host.renderRoot.querySelector(heading)?.textContent;
    const heading = find('.notice strong') ?? find('.confirm h3') ?? find('h2');
    if (isHeadingRead && heading) this.announce(heading);
    if (!isNewStep) return;
    const { activeElement, body } = host.ownerDocument;
    const isLost = !activeElement || activeElement === body;
    if (!isLost && !host.shadowRoot?.activeElement) this.#isFocusPending = false;
    const target = this.findTarget();
    if (!this.#isFocusPending || !target) return;
    this.#isFocusPending = false;
    target.focus();
  }
}
