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

/** Renders the integrator's logo, if the operator has set one, or the first letter of its name if it fails to load. */
export function integratorLogo(integrator: Integrator | undefined): TemplateResult | typeof nothing {
  const url = httpAddress(integrator?.logo_url);
  return url ? sourceIcon(integrator?.name ?? '', url, 'large', 'logo') : nothing;
}
