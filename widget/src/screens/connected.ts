import { html, type TemplateResult } from 'lit';
import type { StateOf } from '../flow/flow.ts';
import { blank } from '../parts/blank.ts';
import { button } from '../parts/buttons.ts';
import { glyphs } from '../parts/glyphs.ts';
import type { Stage } from './screen.ts';

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
