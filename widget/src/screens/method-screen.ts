import { html, nothing, type TemplateResult } from 'lit';
import { moveFocusByArrows } from '../a11y/arrow-keys.ts';
import type { StateOf } from '../flow/flow.ts';
import { blank } from '../parts/blank.ts';
import { glyph } from '../parts/glyphs.ts';
import { backButton, screenHead } from '../parts/screen-head.ts';
import { IconFaults, sourceIcon } from '../parts/source-icon.ts';
import { Screen } from './screen.ts';

/** The source can be connected in several ways: which one? */
export class MethodScreen extends Screen {
  declare state: StateOf<'choosing'>;

  readonly #icons = new IconFaults(this);

  override focusTarget(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.row') ?? this.querySelector<HTMLElement>('.back');
  }

  protected override render(): TemplateResult {
    const { messages } = this;
    const { definition, methods } = this.state;
    if (methods.length === 0) {
      const title = messages.noMethodTitle(definition.name);
      return html`${backButton(messages.back, this.handleBack)}
      ${blank({ sign: 'plug', title, hint: messages.noMethodHint })}`;
    }
    return html`
      ${backButton(messages.back, this.handleBack)}
      ${screenHead({
        title: messages.methodTitle(definition.name),
        icon: sourceIcon(definition, this.#icons, 'large'),
      })}
      <ul class="rows methods" @keydown=${this.#handleKeydown}>
        ${methods.map(
          ({ id, title, description }) =>
            html`<li>
              <button type="button" class="row" part="method" data-id=${id} @click=${this.#handleChoose}>
                <span class="words">
                  <span class="name" part="name" dir="auto">${title}</span>
                  ${description === null ? nothing : html`<span class="note whole" part="description" dir="auto">${description}</span>`}
                </span>
                ${glyph('forward')}
              </button>
            </li>`,
        )}
      </ul>
    `;
  }

  readonly #handleChoose = (event: Event): void => {
    // Bound to the rows, each of which has its method's id.
    const { id = '' } = (event.currentTarget as HTMLElement).dataset;
    this.send({ type: 'choose', methodId: id });
  };

  readonly #handleKeydown = (event: KeyboardEvent): void => {
    moveFocusByArrows(event, [...this.querySelectorAll<HTMLElement>('.row')]);
  };
}
