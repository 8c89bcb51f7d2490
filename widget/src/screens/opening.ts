import { html, nothing, type TemplateResult } from 'lit';
import { backButton } from '../components/buttons.ts';
import { connectionHead } from '../components/connection-head.ts';
import type { StateOf } from '../flow/flow.ts';
import type { RenderContext } from './render-context.ts';

/** Renders the head of a screen that is still loading, with a skeleton below. */
export function openingScreen(
  state: StateOf<'opening' | 'managing' | 'openingAgents'>,
  { messages, sends }: RenderContext,
): TemplateResult {
  return html`<div class="screen">
    ${backButton(messages.back, sends('back'))}
    ${
      state.name === 'opening'
        ? connectionHead(state.source, { ...state.catalog, target: state.target }, messages)
        : nothing
    }
    <div class="form-skeleton" aria-busy="true">
      <div class="skeleton bar" part="skeleton"></div>
      <div class="skeleton bar" part="skeleton"></div>
      <div class="skeleton bar" part="skeleton"></div>
      <div class="skeleton field" part="skeleton"></div>
      <div class="skeleton field" part="skeleton"></div>
    </div>
  </div>`;
}
