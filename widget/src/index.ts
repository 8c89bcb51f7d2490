import { ConnectorAuthElement } from './connector-auth.ts';
import type { ConnectorAuthEventDetails } from './events.ts';

export { ConnectorAuthElement } from './connector-auth.ts';
export type {
  ConnectorAuthEvent,
  ConnectorAuthEventDetails,
  ConnectorAuthEventName,
  ConnectorSummary,
  StepName,
} from './events.ts';
export type { CustomLanguage } from './messages/languages.ts';
export type { Messages } from './messages/messages.ts';
export type { GetToken, WidgetToken } from './service/widget-token.ts';

// If a page loads two copies of the widget, the first one defines the tag for both.
if (customElements.get('connector-auth') === undefined) {
  customElements.define('connector-auth', ConnectorAuthElement);
}

type EventMap = { [Name in keyof ConnectorAuthEventDetails]: CustomEvent<ConnectorAuthEventDetails[Name]> };

declare global {
  interface HTMLElementTagNameMap {
    'connector-auth': ConnectorAuthElement;
  }
  // The events bubble, so any element can listen to them.
  // oxlint-disable-next-line no-empty-object-type -- only an interface can extend the library's own
  interface HTMLElementEventMap extends EventMap {}
}
