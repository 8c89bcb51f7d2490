import type { Integrator, SourceDefinition } from '@connector-auth/api';
import { html, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import { stepIcons } from './step-icons.ts';

/**
 * Renders what happens to the user's credentials, and names the integrator if its name is known.
 * @param source the source at which the user signs in, or null for a form.
 */
export function trustLine(
  source: SourceDefinition | null,
  integrator: Integrator | undefined,
  messages: Messages,
): TemplateResult {
  const owner = integrator?.name;
  const words = source
    ? owner
      ? messages.trustSignInBy(source.name, owner)
      : messages.trustSignIn(source.name)
    : owner
      ? messages.trustBy(owner)
      : messages.trust;
  return html`<p class="trust clamp" part="trust">${stepIcons.lock}${words}</p>`;
}
