import type { Integrator } from '@connector-auth/api';
import { html, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import { stepIcons } from './step-icons.ts';

/** Renders what happens to the key that the user enters. */
export function keyPromise({ trust }: Messages): TemplateResult {
  return promise(trust);
}

/** Renders who never sees the user's password: the integrator, if its name is known. */
export function passwordPromise(integrator: Integrator | undefined, messages: Messages): TemplateResult {
  return promise(integrator?.name ? messages.trustSignInBy(integrator.name) : messages.trustSignIn);
}

function promise(words: string): TemplateResult {
  return html`<p class="trust clamp" part="trust">${stepIcons.lock}${words}</p>`;
}
