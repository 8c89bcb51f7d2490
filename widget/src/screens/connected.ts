import { html, type TemplateResult } from 'lit';
import { button } from '../components/buttons.ts';
import { blank } from '../components/empty-state.ts';
import { glyphs } from '../components/icons.ts';
import type { StateOf } from '../flow/flow.ts';
import type { Stage } from './render-context.ts';

/** It worked. */
export function connectedScreen(
  { connector }: StateOf<'connected'>,
  { messages, send }: Stage,
): TemplateResult {
  const done = () => {
    send({ type: 'back' });
  };
  return html`<div class="screen">
    ${blank(
      glyphs.check,
      messages.connectedTitle(connector.name),
      messages.connectedHint,
      button(messages.done, done, 'primary'),
      'good',
    )}
  </div>`;
}
