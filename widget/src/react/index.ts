/** The widget as a React component: `@connector-auth/widget/react`. Attributes become properties, events `on…`. */

// By the package's own name: on a server this is another file, which defines nothing.
import {
  ConnectorAuthElement,
  type ConnectorAuthEvent,
  type ConnectorAuthEventName,
} from '@connector-auth/widget';
import { createComponent, type EventName } from '@lit/react';
import * as React from 'react';

/** `<ConnectorAuth tokenUrl="/connector-auth/widget-token" onConnected={event => …} />`. A ref gives the element. */
export const ConnectorAuth = createComponent({
  react: React,
  tagName: 'connector-auth',
  elementClass: ConnectorAuthElement,
  events: {
    onReady: on('connector-auth-ready'),
    onStep: on('connector-auth-step'),
    onConnected: on('connector-auth-connected'),
    onReconnected: on('connector-auth-reconnected'),
    onDisconnected: on('connector-auth-disconnected'),
    onClose: on('connector-auth-close'),
    onError: on('connector-auth-error'),
  } satisfies EventProperties,
});

/** `on…` for each event: a missing one does not compile. */
type EventProperties = {
  [
    Name in ConnectorAuthEventName as Name extends `connector-auth-${infer Short}`
      ? `on${Capitalize<Short>}`
      : never
  ]: EventName<ConnectorAuthEvent<Name>>;
};

/** An event's name with the type of the event, as createComponent wants it. */
function on<Name extends ConnectorAuthEventName>(name: Name): EventName<ConnectorAuthEvent<Name>> {
  return name as unknown as EventName<ConnectorAuthEvent<Name>>;
}
