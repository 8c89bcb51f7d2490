/** The widget as a React component: `@connector-auth/widget/react`. Events become `on…` properties. */

// Imported by the package's own name, which resolves to a different file on a server.
import {
  ConnectorAuthElement,
  type ConnectorAuthEvent,
  type ConnectorAuthEventName,
} from '@connector-auth/widget';
import { createComponent, type EventName } from '@lit/react';
import * as React from 'react';

/**
 * `<ConnectorAuth tokenUrl="/connector-auth/widget-token" onConnected={event => …} />`. A ref receives
 * the element.
 */
export const ConnectorAuth = createComponent({
  react: React,
  tagName: 'connector-auth',
  elementClass: ConnectorAuthElement,
  events: {
    onReady: on('connector-auth-ready'),
    onStep: on('connector-auth-step'),
    onConnected: on('connector-auth-connected'),
    onNext: on('connector-auth-next'),
    onReconnected: on('connector-auth-reconnected'),
    onDisconnected: on('connector-auth-disconnected'),
    onRequest: on('connector-auth-request'),
    onClose: on('connector-auth-close'),
    onError: on('connector-auth-error'),
  } satisfies EventProperties,
});

/** Maps each event to an `on…` property. The compiler reports missing events. */
type EventProperties = {
  [
    Name in ConnectorAuthEventName as Name extends `connector-auth-${infer Short}`
      ? `on${Capitalize<Short>}`
      : never
  ]: EventName<ConnectorAuthEvent<Name>>;
};

/** Adds the event's type to its name, as createComponent expects. */
function on<Name extends ConnectorAuthEventName>(name: Name): EventName<ConnectorAuthEvent<Name>> {
  return name as unknown as EventName<ConnectorAuthEvent<Name>>;
}
