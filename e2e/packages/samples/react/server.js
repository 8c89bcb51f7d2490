// Imports every entry point and renders a page without a browser.
import * as main from '@connector-auth/widget';
import * as element from '@connector-auth/widget/element';
import * as headless from '@connector-auth/widget/headless';
import { ConnectorAuth } from '@connector-auth/widget/react';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';

const html = renderToString(
  createElement(ConnectorAuth, {
    id: 'sources',
    tokenUrl: '/token',
    modal: true,
    messages: {},
    onReady: () => {},
  }),
);
const names = [main, element, headless].map(entry => Object.keys(entry).sort());
// oxlint-disable-next-line no-console -- the test reads it
console.log(
  JSON.stringify({ html, names, globals: ['HTMLElement', 'customElements'].filter(n => n in globalThis) }),
);
