import { html, nothing, type TemplateResult } from 'lit';
import { backButton } from '../components/buttons.ts';
import { screenHead } from '../components/screen-head.ts';
import { sourceIcon } from '../components/source-icon.ts';
import type { StateOf } from '../flow/flow.ts';
import type { RenderContext } from './render-context.ts';

/** Renders the head of a screen that is still loading, with a skeleton below. */
export function openingScreen(
  state: StateOf<'opening' | 'managing'>,
  { messages, send }: RenderContext,
): TemplateResult {
  const back = () => {
    send({ type: 'back' });
  };
  return html`<div class="screen">
    ${backButton(messages.back, back)}
    ${
      state.name === 'opening'
        ? screenHead(
            state.target?.name ?? messages.formTitle(state.source.name),
            state.source.description,
            sourceIcon(state.source.name, state.source.iconUrl, 'large'),
          )
        : nothing
    }
    <div class="skeleton-form" aria-busy="true">
      ${['line short', 'field', 'line short', 'field'].map(
        shape => html`<div class="skeleton ${shape}" part="skeleton"></div>`,
      )}
    </div>
  </div>`;
}
