import type { TemplateResult } from 'lit';
import type { StateOf } from '../flow/flow.ts';
import { blank } from '../parts/blank.ts';
import { primaryButton } from '../parts/primary-button.ts';
import { Screen } from './screen.ts';

/** It worked. */
export class ConnectedScreen extends Screen {
  declare state: StateOf<'connected'>;

  override focusTarget(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.button');
  }

  protected override render(): TemplateResult {
    const { messages, state } = this;
    return blank({
      sign: 'check',
      tone: 'good',
      title: messages.connectedTitle(state.connector.name),
      hint: messages.connectedHint,
      action: primaryButton(messages.done, this.handleBack),
    });
  }
}
