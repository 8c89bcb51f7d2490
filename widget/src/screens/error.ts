import { html, type TemplateResult } from 'lit';
import { button } from '../components/buttons.ts';
import { emptyState } from '../components/empty-state.ts';
import { icons } from '../components/icons.ts';
import type { StateOf } from '../flow/flow.ts';
import type { Misconfigured, RenderContext } from './render-context.ts';

/** A state in which an error stops the flow. */
export type StoppedState = StateOf<'unavailable' | 'unopened'>;

/**
 * Renders the error screen if the settings are invalid, or if the code that describes other errors (see
 * failure.ts) cannot be loaded either.
 */
export function errorScreen(
  { name }: StoppedState | Misconfigured,
  { messages, sends }: RenderContext,
): TemplateResult {
  return html`<div class="screen">
    ${
      name === 'misconfigured'
        ? emptyState({ icon: icons.alert, title: messages.setupTitle, hint: messages.setupHint })
        : emptyState({
            icon: icons.alert,
            title: messages.unreachableTitle,
            hint: messages.unreachableHint,
            action: button(messages.retry, sends('retry'), { kind: 'primary' }),
            tone: 'bad',
          })
    }
  </div>`;
}
