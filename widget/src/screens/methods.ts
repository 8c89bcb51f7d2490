import { html, nothing, type TemplateResult } from 'lit';
import { moveFocusByArrows } from '../a11y/arrow-keys.ts';
import { backButton } from '../components/buttons.ts';
import { emptyState } from '../components/empty-state.ts';
import { icons } from '../components/icons.ts';
import { supportLink } from '../components/integrator.ts';
import { screenHead } from '../components/screen-head.ts';
import { sourceIcon } from '../components/source-icon.ts';
import type { StateOf } from '../flow/flow.ts';
import type { RenderContext } from './render-context.ts';

/** Renders the choice between a source's auth methods. */
export function methodsScreen(
  { catalog, definition: { name, iconUrl }, methods }: StateOf<'choosing'>,
  { messages, send, host }: RenderContext,
): TemplateResult {
  const back = () => {
    send({ type: 'back' });
  };
  const move = (event: KeyboardEvent) => {
    moveFocusByArrows(event, [...host.renderRoot.querySelectorAll<HTMLElement>('.row')]);
  };
  return html`<div class="screen">
    ${backButton(messages.back, back)}
    ${
      methods.length
        ? html`${screenHead(messages.methodTitle(name), null, sourceIcon(name, iconUrl, 'large'))}
            <ul class="rows methods" @keydown=${move}>
              ${methods.map(
                ({ id, title, description }) =>
                  html`<li>
                    <button
                      type="button"
                      class="row"
                      part="method"
                      data-id=${id}
                      @click=${() => {
                        send({ type: 'choose', methodId: id });
                      }}
                    >
                      <span class="text">
                        <span class="name" part="name" dir="auto">${title}</span>
                        ${description ? html`<span class="note whole" part="description" dir="auto">${description}</span>` : nothing}
                      </span>
                      ${icons.forward}
                    </button>
                  </li>`,
              )}
            </ul>`
        : emptyState({
            icon: icons.plug,
            title: messages.noMethodTitle(name),
            hint: messages.noMethodHint,
            action: supportLink(catalog.integrator, messages),
          })
    }
  </div>`;
}
