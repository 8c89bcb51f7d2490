import { html, nothing, type TemplateResult } from 'lit';
import { backButton, button } from '../components/buttons.ts';
import { blank } from '../components/empty-state.ts';
import { glyphs } from '../components/icons.ts';
import { reference } from '../components/notice.ts';
import type { StateOf } from '../flow/flow.ts';
import { failureWords } from '../messages/failure-words.ts';
import type { Misconfigured, Stage } from './render-context.ts';

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
