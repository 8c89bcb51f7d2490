import type { Integrator } from '@connector-auth/api';
import { html, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import { stepIcons } from './step-icons.ts';

/**
 * Renders what happens to the user's credentials, and names the integrator if its name is known.
 * @param vendor where the user signs in, or null for a form.
 */
export function trustLine(
  vendor: string | null,
  integrator: Integrator | undefined,
  messages: Messages,
): TemplateResult {
  const owner = integrator?.name;
  const words = vendor
    ? owner
      ? messages.trustSignInBy(vendor, owner)
      : messages.trustSignIn(vendor)
    : owner
      ? messages.trustBy(owner)
      : messages.trust;
  return html`<p class="trust clamp" part="trust">${stepIcons.lock}${words}</p>`;
}
