import { html, nothing, type TemplateResult } from 'lit';
import type { StateOf } from '../flow/flow.ts';
import { backButton, screenHead } from '../parts/screen-head.ts';
import { IconFaults, sourceIcon } from '../parts/source-icon.ts';
import { Screen } from './screen.ts';

/** What comes next is on its way: its head is known already, the rest is a skeleton. */
export class OpeningScreen extends Screen {
  declare state: StateOf<'opening' | 'managing'>;

  readonly #icons = new IconFaults(this);

  override focusTarget(): HTMLElement | null {
    return this.querySelector('.back');
  }

  protected override render(): TemplateResult {
    const { messages, state } = this;
    return html`
      ${backButton(messages.back, this.handleBack)}
      ${
        state.name === 'opening'
          ? screenHead({
              title: state.target?.name ?? messages.formTitle(state.source.name),
              lead: state.source.description,
              icon: sourceIcon(state.source, this.#icons, 'large'),
            })
          : nothing
      }
      <div class="bones" aria-busy="true">
        <div class="bone line short" part="skeleton"></div>
        <div class="bone field" part="skeleton"></div>
        <div class="bone line short" part="skeleton"></div>
        <div class="bone field" part="skeleton"></div>
      </div>
    `;
  }
}
