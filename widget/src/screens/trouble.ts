import { html, nothing, type TemplateResult } from 'lit';
import type { StateOf } from '../flow/flow.ts';
import { failureWords } from '../messages/failure-words.ts';
import { blank } from '../parts/blank.ts';
import { backButton, button } from '../parts/buttons.ts';
import { glyphs } from '../parts/glyphs.ts';
import { reference } from '../parts/notice.ts';
import type { Misconfigured, Stage } from './screen.ts';

/** Nothing can be shown: why, and what the person can do about it. */
export function troubleScreen(
  state: StateOf<'unavailable' | 'unopened'> | Misconfigured,
  { messages, send }: Stage,
): TemplateResult {
  if (state.name === 'misconfigured') {
    return html`<div class="screen">${blank(glyphs.alert, messages.setupTitle, messages.setupHint)}</div>`;
  }
  const { failure, name } = state;
  const { title, hint } = failureWords(failure, messages);
  const back = () => {
    send({ type: 'back' });
  };
  const retry = () => {
    send({ type: 'retry' });
  };
  return html`<div class="screen">
    ${name === 'unopened' ? backButton(messages.back, back) : nothing}
    ${blank(
      failure.status === null ? glyphs.offline : glyphs.alert,
      title,
      hint,
      button(messages.retry, retry, 'primary'),
      'bad',
    )}
    ${reference(failure, messages)}
  </div>`;
}
