import type { Integrator } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import { httpAddress } from '../service/http-address.ts';
import { icons } from './icons.ts';
import { sourceIcon } from './source-icon.ts';

/** Renders the link to the integrator's support page, if the operator has set one. */
export function supportLink(
  integrator: Integrator | undefined,
  messages: Messages,
): TemplateResult | typeof nothing {
  const url = httpAddress(integrator?.support_url);
  if (!url) return nothing;
  return html`<a class="link" part="support-link" href=${url} target="_blank" rel="noopener noreferrer"
    >${messages.contactSupport(integrator?.name ?? '')}${icons.forward}<span class="visually-hidden">
      (${messages.opensInNewTab})</span
    ></a
  >`;
}

/** Renders the integrator's logo, or the first letter of its name. Renders nothing if neither is known. */
export function integratorTile(integrator: Integrator | undefined): TemplateResult | typeof nothing {
  const { name, logo_url } = integrator ?? {};
  return name || httpAddress(logo_url)
    ? sourceIcon(name ?? '', logo_url ?? undefined, 'large', 'logo')
    : nothing;
}
