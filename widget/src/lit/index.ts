/**
 * `@connector-auth/widget/lit`: elements that share one flow with `<connector-auth>`, and a controller for your own.
 */
import type { Connector, SourceDefinition } from '@connector-auth/api';
import { ConnectorAuthElement } from '../index.ts';
import { ConnectorAuthButtonElement } from './button.ts';
import { ConnectorAuthProviderElement } from './provider.ts';
import { shareFlows } from './share-flow.ts';
import { ConnectorAuthStatusElement } from './status.ts';

export type { Connector, SourceDefinition };
export type { Catalog, State, StateName, StateOf } from '../flow/flow.ts';
export type {
  ConnectorAuthEvent,
  ConnectorAuthEventDetails,
  ConnectorAuthEventName,
  ConnectorSummary,
  StepName,
} from '../events.ts';
export { ConnectorAuthButtonElement } from './button.ts';
export { ConnectorAuthController } from './controller.ts';
export { ConnectorAuthProviderElement } from './provider.ts';
export { ConnectorAuthStatusElement } from './status.ts';

// Providers come first, so that they can respond to the elements inside them.
const elements = {
  'connector-auth-provider': ConnectorAuthProviderElement,
  'connector-auth-button': ConnectorAuthButtonElement,
  'connector-auth-status': ConnectorAuthStatusElement,
};

// If a page loads two copies of the widget, the first one defines the tags for both.
for (const [name, element] of Object.entries(elements)) {
  if (customElements.get(name) === undefined) customElements.define(name, element);
}
if (customElements.get('connector-auth') !== ConnectorAuthElement) {
  // oxlint-disable-next-line no-console -- where integrators look for errors in their own code
  console.error(
    '<connector-auth-provider>: another copy of the widget defines <connector-auth>, which therefore does not share the flow: load the widget only once',
  );
}
shareFlows(element => element instanceof ConnectorAuthElement);

type Elements = { [Name in keyof typeof elements]: InstanceType<(typeof elements)[Name]> };

declare global {
  // oxlint-disable-next-line no-empty-object-type -- only an interface can extend the library's own
  interface HTMLElementTagNameMap extends Elements {}
}
