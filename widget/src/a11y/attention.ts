import type { LitElement } from 'lit';
import { focusTargetIn } from './focus.ts';

/**
 * Where the keyboard focus goes when a screen takes the place of another, and what is read to people who cannot see that.
 * Never takes the focus from the page: only one that was in the host is brought on.
 */
export class Attention {
  #said = '';
  /** The focus was in the host when its place went away, and has none yet. */
  #owesFocus = false;

  /** @param isAwaiting whether something goes on at the moment: the focus is owed until it is over. */
  constructor(
    private readonly host: LitElement,
    private readonly isAwaiting: () => boolean,
  ) {}

  /** The sentence to be read, for the live region. */
  get said(): string {
    return this.#said;
  }

  /** Has a sentence read. */
  say(text: string): void {
    // The same sentence again is only read if the text differs.
    this.#said = text && text === this.#said ? `${text}\u00a0` : text;
    this.host.requestUpdate();
  }

  /** Before a screen goes: remembers whether the focus is in the host, to be brought on by the next {@link settle}. */
  hold(): void {
    if (this.host.shadowRoot?.activeElement) this.#owesFocus = true;
  }

  /** Forgets what was said and what is owed. */
  reset(): void {
    this.#owesFocus = false;
    this.say('');
  }

  /** Where the focus belongs at the moment: where a person would go on. */
  target(): HTMLElement | null {
    const screen = this.isAwaiting() ? null : this.host.renderRoot.querySelector('.screen');
    return screen && focusTargetIn(screen);
  }

  /**
   * Once the new state is drawn: has its heading read, where nothing better was said, and after a step puts the focus where
   * it belongs, if it is owed.
   */
  async settle(isHeading = false, isStep = true): Promise<void> {
    const { host } = this;
    await host.updateComplete;
    const find = (heading: string) => host.renderRoot.querySelector(heading)?.textContent;
    const heading = find('.notice strong') ?? find('.ask h3') ?? find('h2');
    if (isHeading && heading) this.say(heading);
    if (!isStep) return;
    const { activeElement, body } = host.ownerDocument;
    const isLost = !activeElement || activeElement === body;
    if (!isLost && !host.shadowRoot?.activeElement) this.#owesFocus = false;
    const target = this.target();
    if (!this.#owesFocus || !target) return;
    this.#owesFocus = false;
    target.focus();
  }
}
