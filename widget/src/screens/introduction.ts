import { html, nothing, type TemplateResult } from 'lit';
import { backButton, button } from '../components/buttons.ts';
import { emptyState } from '../components/empty-state.ts';
import { icons } from '../components/icons.ts';
import { supportLink } from '../components/integrator.ts';
import { failureNotice } from '../components/notice.ts';
import { screenHead } from '../components/screen-head.ts';
import { sourceIcon } from '../components/source-icon.ts';
import type { StateOf } from '../flow/flow.ts';
import type { RenderContext } from './render-context.ts';

/** Renders what the connection reads and changes, and the ways to sign in. */
export function introductionScreen(
  { catalog, definition, methods, failure, retry, target }: StateOf<'introducing'>,
  { messages, send }: RenderContext,
): TemplateResult {
  const { name, iconUrl, description } = definition;
  const back = () => {
    send({ type: 'back' });
  };
  if (!methods.length) {
    return html`<div class="screen">
      ${backButton(messages.back, back)}
      ${emptyState({
        icon: icons.plug,
        title: messages.noMethodTitle(name),
        hint: messages.noMethodHint,
        action: supportLink(catalog.integrator, messages),
      })}
    </div>`;
  }
  return html`<div class="screen">
    ${backButton(messages.back, back)}
    ${screenHead(target?.name ?? messages.formTitle(name), description, sourceIcon(name, iconUrl, 'large'))}
    ${failureNotice(failure, messages, name)}
    <div class="actions">
      ${
        retry
          ? button(
              messages.retry,
              () => {
                send({ type: 'retry' });
              },
              { kind: 'primary' },
            )
          : nothing
      }
      ${methods.map(
        ({ id, title }, index) =>
          html`<button
            type="button"
            class="button ${index || retry ? '' : 'primary'}"
            part="method"
            data-id=${id}
            @click=${() => {
              send({ type: 'choose', methodId: id });
            }}
          >
            ${title}
          </button>`,
      )}
    </div>
  </div>`;
}
