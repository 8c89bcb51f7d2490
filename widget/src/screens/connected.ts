import { html, type TemplateResult } from 'lit';
import { button } from '../components/buttons.ts';
import { emptyState } from '../components/empty-state.ts';
import { icons } from '../components/icons.ts';
import type { StateOf } from '../flow/flow.ts';
import type { RenderContext } from './render-context.ts';

/** Renders the success screen for a connected source. */
export function connectedScreen(
  { connector }: StateOf<'connected'>,
  { messages, send }: RenderContext,
): TemplateResult {
  const done = () => {
    send({ type: 'back' });
  };
  return html`<div class="screen">
    ${emptyState({
      icon: icons.check,
      title: messages.connectedTitle(connector.name),
      hint: messages.connectedHint,
      action: button(messages.done, done, { kind: 'primary' }),
      tone: 'good',
    })}
  </div>`;
}
