import { html, nothing, type TemplateResult } from 'lit';
import type { StateOf } from '../flow/flow.ts';
import { failureWords } from '../messages/failure-words.ts';
import { blank } from '../parts/blank.ts';
import { primaryButton } from '../parts/primary-button.ts';
import { backButton } from '../parts/screen-head.ts';
import { Screen, type Misconfigured } from './screen.ts';

/** Nothing can be shown: why, and what the person can do about it. */
export class TroubleScreen extends Screen {
  declare state: StateOf<'unavailable' | 'unopened'> | Misconfigured;

  override focusTarget(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.button, .back');
  }

  protected override render(): TemplateResult {
    const { state, messages } = this;
    if (state.name === 'misconfigured') {
      return blank({ sign: 'alert', title: messages.setupTitle, hint: messages.setupHint });
    }
    const { failure } = state;
    const { title, hint } = failureWords(failure, messages);
    return html`
      ${state.name === 'unopened' ? backButton(messages.back, this.handleBack) : nothing}
      ${blank({
        sign: failure.status === null ? 'offline' : 'alert',
        tone: 'bad',
        title,
        hint,
        action: primaryButton(messages.retry, this.handleRetry),
      })}
      ${
        failure.requestId === null
          ? nothing
          : html`<p class="reference" part="reference">${messages.reference(failure.requestId)}</p>`
      }
    `;
  }
}
