import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { checkMessages } from './check-messages.ts';
import { en } from './en.ts';
import { knownMessages, loadMessages } from './languages.ts';
import type { Messages } from './messages.ts';
import { nearestLanguage, unwatchLanguage, watchLanguage } from './nearest-language.ts';

/**
 * Gives a host and the screens in it the sentences of its nearest `lang`, follows that, and puts the integrator's own
 * over them. English until a language is there, and if it cannot be had.
 */
export class MessageSource implements ReactiveController {
  #value: Messages = en;
  #language: string | null = null;
  #base: Messages = en;
  #own: Partial<Messages> = {};

  constructor(private readonly host: ReactiveControllerHost & HTMLElement) {
    host.addController(this);
  }

  /** The sentences as they are now. */
  get value(): Messages {
    return this.#value;
  }

  /** Puts sentences of the integrator over those of every language. Returns what cannot be used, in a sentence each. */
  override(own: object): readonly string[] {
    const { usable, mistakes } = checkMessages(own);
    this.#own = usable;
    this.#provide();
    return mistakes;
  }

  hostConnected(): void {
    watchLanguage(this.host, this.#follow);
    this.#follow();
  }

  hostDisconnected(): void {
    unwatchLanguage(this.host);
  }

  readonly #follow = (): void => {
    const language = nearestLanguage(this.host);
    const messages = knownMessages(language);
    if (messages !== null) this.#set(language, messages);
    else if (language !== this.#language) void this.#load(language);
    // Its `dir` may have changed instead.
    this.host.requestUpdate();
  };

  async #load(language: string): Promise<void> {
    this.#language = language;
    await loadMessages(language).catch(() => {});
    // Meanwhile the page may have changed its mind.
    if (language === this.#language) this.#set(language, knownMessages(language) ?? en);
  }

  #set(language: string, base: Messages): void {
    if (language === this.#language && base === this.#base) return;
    this.#language = language;
    this.#base = base;
    this.#provide();
  }

  #provide(): void {
    const base = this.#base;
    // Dates as they are written there: `en-GB` is not `en-US`.
    const language = this.#language?.startsWith(base.language) ? this.#language : base.language;
    this.#value = { ...base, language, ...this.#own };
    this.host.requestUpdate();
  }
}
