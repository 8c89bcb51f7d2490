import { html, noChange, type TemplateResult } from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';
import type { Messages } from '../messages/messages.ts';

/**
 * Renders a sentence about a time, whose absolute value is its tooltip. The sentence is updated as time passes.
 * @param sentence returns the sentence, with the time relative to now.
 */
export function ticking(time: string, { language }: Messages, sentence: () => string): TemplateResult {
  const absolute = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  return html`<time datetime=${time} title=${absolute.format(new Date(time))}>${tick(sentence)}</time>`;
}

/** Updates one text while it is displayed, without rendering its screen again. */
class Tick extends AsyncDirective {
  #compute = () => '';
  #text = '';

  override render(compute: () => string): unknown {
    this.#compute = compute;
    const text = compute();
    this.reconnected();
    if (text === this.#text) return noChange;
    this.#text = text;
    return text;
  }

  override disconnected(): void {
    displayed.delete(this);
    if (displayed.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  override reconnected(): void {
    if (!this.isConnected) return;
    displayed.add(this);
    timer ??= setInterval(() => {
      for (const each of displayed) each.#refresh();
    }, 1000);
  }

  #refresh(): void {
    const text = this.#compute();
    if (text === this.#text) return;
    this.#text = text;
    this.setValue(text);
  }
}

const tick = directive(Tick);

/** All texts share one timer. */
const displayed = new Set<Tick>();
let timer: ReturnType<typeof setInterval> | undefined;
