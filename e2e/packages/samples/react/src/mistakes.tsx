// Code that the compiler must reject. No file imports it.
import { createConnectorFlow } from '@connector-auth/widget/headless';
import { ConnectorAuth } from '@connector-auth/widget/react';

export const mistakes = [
  // @ts-expect-error -- a URL is a string
  <ConnectorAuth key="1" tokenUrl={1} />,
  // @ts-expect-error -- the event's detail has no such property
  <ConnectorAuth key="2" onReady={({ detail }) => detail.many} />,
  // @ts-expect-error -- no message has this name
  <ConnectorAuth key="3" messages={{ catalogTitel: '' }} />,
];

export function mistake() {
  // @ts-expect-error -- only user events can be sent
  createConnectorFlow({ tokenUrl: '/token' }).send({ type: 'failed' });
  // @ts-expect-error -- the event's detail has no such property
  document.body.addEventListener('connector-auth-connected', ({ detail }) => detail.nothing);
  // @ts-expect-error -- the element has no such property
  document.createElement('connector-auth').tokenUri = '';
}
