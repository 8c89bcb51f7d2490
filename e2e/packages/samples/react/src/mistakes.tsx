// Code that the compiler must reject. No file imports it.
import { createConnectorFlow } from '@connector-auth/widget/headless';
import { ConnectorAuth } from '@connector-auth/widget/react';

export const mistakes = [
  // @ts-expect-error -- an address is a text
  <ConnectorAuth key="1" tokenUrl={1} />,
  // @ts-expect-error -- the event has no such detail
  <ConnectorAuth key="2" onReady={({ detail }) => detail.many} />,
  // @ts-expect-error -- there is no such sentence
  <ConnectorAuth key="3" messages={{ catalogTitel: '' }} />,
];

export function mistake() {
  // @ts-expect-error -- only what a person does can be sent
  createConnectorFlow({ tokenUrl: '/token' }).send({ type: 'failed' });
  // @ts-expect-error -- the event has no such detail
  document.body.addEventListener('connector-auth-connected', ({ detail }) => detail.nothing);
  // @ts-expect-error -- the element has no such property
  document.createElement('connector-auth').tokenUri = '';
}
