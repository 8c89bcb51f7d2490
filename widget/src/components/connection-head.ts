import type { Connector, Integrator, SourceDefinition } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import { icons } from './icons.ts';
import { integratorTile } from './integrator.ts';
import { sourceIcon } from './source-icon.ts';
import { unbroken } from './unbroken.ts';

/**
 * Renders the head of the screens that create a connection: the source beside the integrator, and what happens.
 * @param target the connector to reconnect, or null to create one.
 * @param lead says who can connect the source, if that is known.
 */
export function connectionHead(
  { name, iconUrl }: Pick<SourceDefinition, 'name' | 'iconUrl'>,
  {
    integrator,
    target,
    isChoice,
    offer = nothing,
  }: {
    readonly integrator?: Integrator | undefined;
    readonly target: Connector | null;
    /** Whether the user chooses between methods below. */
    readonly isChoice?: boolean;
    /** Who else can do it. */
    readonly offer?: TemplateResult | typeof nothing;
  },
  messages: Messages,
  lead = '',
): TemplateResult {
  const owner = integratorTile(integrator);
  const words = target?.status === 'needs_reauth' ? messages.signInExpired : lead;
  const title = target
    ? messages.reconnectTitle(target.name)
    : isChoice
      ? messages.chooseMethod(name)
      : integrator?.name
        ? messages.formTitleBy(name, integrator.name)
        : messages.formTitle(name);
  return html`<header class="head pair" part="header">
    <div class="tiles">
      ${sourceIcon(name, iconUrl, 'large')}${owner === nothing ? nothing : html`${icons.arrows}${owner}`}
    </div>
    <div>
      <h2 part="title" dir="auto">${title}</h2>
      ${words ? html`<p class="lead" part="lead" dir="auto">${unbroken(words)}</p>` : nothing} ${offer}
    </div>
  </header>`;
}
