import { html, nothing, type TemplateResult } from 'lit';
import { backButton } from '../components/buttons.ts';
import { emptyState } from '../components/empty-state.ts';
import { icons } from '../components/icons.ts';
import { supportLink } from '../components/integrator.ts';
import { reference, retryButton } from '../components/notice.ts';
import { failureWords } from '../messages/failure-words.ts';
import type { StoppedState } from './error.ts';
import type { RenderContext } from './render-context.ts';

/** Renders an error that stops the flow, and what the user can do about it. */
export function failureScreen(state: StoppedState, { messages, sends }: RenderContext): TemplateResult {
  const { failure, name } = state;
  const source = name === 'unopened' ? state.source.name : '';
  const integrator = name === 'unopened' ? state.catalog.integrator : undefined;
  const { title, hint } = failureWords(failure, messages, { source, integrator });
  return html`<div class="screen">
    ${name === 'unopened' ? backButton(messages.back, sends('back')) : nothing}
    ${emptyState({
      icon: failure.status === null && !failure.isSetUpError ? icons.offline : icons.alert,
      title: source && title === messages.brokenTitle ? messages.notOpened(source) : title,
      hint,
      action: html`${retryButton(failure, messages, sends('retry'))}${supportLink(integrator, messages)}`,
      tone: 'bad',
    })}
    ${reference(failure, messages)}
  </div>`;
}
