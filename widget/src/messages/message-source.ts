import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { checkMessages } from './check-messages.ts';
import { en } from './en.ts';
import { knownMessages, loadMessages } from './languages.ts';
import type { Messages } from './messages.ts';
import { nearestLanguage, unwatchLanguage, watchLanguage } from './nearest-language.ts';

/**
 * Provides a host with the messages for its nearest `lang`, updates them when `lang` changes, and applies the
 * integrator's overrides. The messages are in English until the language is loaded, or if loading fails.
 */
export class MessageSource implements ReactiveController {
  #value: Messages = en;
  #language: string | null = null;
  #base: Messages = en;
  #own: Partial<Messages> = {};

  constructor(private readonly host: ReactiveControllerHost & HTMLElement) {
    host.addController(this);
  }

  /** The language of the host, which is that of the messages or, if there are none in it, another one. */
  get language(): string {
    return this.#language ?? '';
  }

  /** The current messages. */
  get value(): Messages {
    return this.#value;
  }

  /** Overrides messages in every language. Returns one sentence for each invalid override. */
  override(own: object): readonly string[] {
    const { valid, issues } = checkMessages(own);
    this.#own = valid;
    this.#apply();
    return issues;
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
    // `dir` may have changed instead of `lang`.
    this.host.requestUpdate();
  };

  async #load(language: string): Promise<void> {
    this.#language = language;
    await loadMessages(language).catch(() => {});
    // `lang` may have changed in the meantime.
    if (language === this.#language) this.#set(language, knownMessages(language) ?? en);
  }

  #set(language: string, base: Messages): void {
    if (language === this.#language && base === this.#base) return;
    this.#language = language;
    this.#base = base;
    this.#apply();
  }

  #apply(): void {
    const base = this.#base;
    // Keeps the region, because `en-GB` and `en-US` format dates differently.
    const language = this.#language?.startsWith(base.language) ? this.#language : base.language;
    // Later messages of `base` must be found (see step-messages.ts).
    this.#value = Object.setPrototypeOf({ language, ...this.#own }, base) as Messages;
    this.host.requestUpdate();
  }
}
