import type { LitElement } from 'lit';
import { findFocusTarget } from './focus-target.ts';

/**
 * Moves the keyboard focus when one screen replaces another, and announces the change to screen readers.
 * Never takes focus from the page: focus moves only if it was already in the host.
 */
export class FocusManager {
  #announcement = '';
  /** Whether the focused element in the host was removed and focus has not been moved yet. */
  #isFocusPending = false;

  /** @param isBusy returns whether the host is waiting for a response, which keeps focus pending. */
  constructor(
    private readonly host: LitElement,
    private readonly isBusy: () => boolean,
  ) {
    host.addEventListener('click', focusClicked, { capture: true });
  }

  /** The text of the live region. */
  get announcement(): string {
    return this.#announcement;
  }

  /** Announces text to screen readers. */
  readonly announce = (text: string): void => {
    // Screen readers ignore text that is the same as the previous announcement.
    this.#announcement = text && text === this.#announcement ? `${text}\u00a0` : text;
    this.host.requestUpdate();
  };

  /** Records whether focus is in the host. Call it before a screen is replaced. */
  beforeUpdate(): void {
    if (this.host.shadowRoot?.activeElement) this.#isFocusPending = true;
  }

  /**
   * Announces a change before the host shows it, and moves focus if it leads to another step.
   * @param announcement null announces the heading of the screen, if it is another one.
   */
  follow(announcement: string | null, isNewStep: boolean, isNewScreen = isNewStep): void {
    this.beforeUpdate();
    if (announcement) this.announce(announcement);
    if (isNewScreen) void this.afterUpdate({ isHeadingRead: announcement === null, isNewStep });
    else void this.keepFocus();
  }

  /** Ensures that focus stays in the host if an update of the same screen removes the focused element. */
  async keepFocus(): Promise<void> {
    const { host } = this;
    const focused = host.shadowRoot?.activeElement;
    await host.updateComplete;
    if (focused && !focused.isConnected && !host.shadowRoot?.activeElement) this.findTarget()?.focus();
  }

  /** Clears the announcement and the pending focus. */
  reset(): void {
    this.#isFocusPending = false;
    this.announce('');
  }

  /** Returns the element that should receive focus on the current screen, or null while the host is busy. */
  findTarget(): HTMLElement | null {
    const screen = this.isBusy() ? null : this.host.renderRoot.querySelector('.screen');
    return screen && findFocusTarget(screen);
  }

  /**
   * Waits for the new screen, then announces its heading and moves a pending focus into it.
   * @param options.isHeadingRead announces the heading because nothing more specific was announced.
   * @param options.isNewStep moves focus, which otherwise stays where it is.
   */
  async afterUpdate({ isHeadingRead = false, isNewStep = true } = {}): Promise<void> {
    const { host } = this;
    await host.updateComplete;
    const find = (text: string) => host.renderRoot.querySelector(text)?.textContent;
    const heading = find('h2');
    const notice = [find('.notice strong'), find('.notice [part="hint"]')].filter(Boolean).join('. ');
    if (isHeadingRead && (notice || heading)) this.announce(notice || (heading ?? ''));
    if (!isNewStep) return;
    const { activeElement, body } = host.ownerDocument;
    const isLost = !activeElement || activeElement === body;
    if (!isLost && !host.shadowRoot?.activeElement) this.#isFocusPending = false;
    const target = this.findTarget();
    if (!this.#isFocusPending || !target) return;
    this.#isFocusPending = false;
    // The footer is always in view, and browsers would scroll the content by its padding.
    target.focus({ preventScroll: target.closest('.footer') !== null });
  }
}

/**
 * Focuses the button or link that the user clicked, as all browsers except Safari do. Otherwise focus would not be in
 * the host when the next screen replaces the button.
 */
function focusClicked(this: HTMLElement, event: Event): void {
  if (!event.isTrusted) return;
  const root = this.shadowRoot;
  const clicked = event
    .composedPath()
    .find(
      target => target instanceof HTMLElement && target.getRootNode() === root && target.matches(focusable),
    );
  if (clicked && clicked !== root?.activeElement) {
    // Only HTML elements were searched.
    (clicked as HTMLElement).focus({ preventScroll: true, focusVisible: false });
  }
}

const focusable = 'button, a, summary, input';
