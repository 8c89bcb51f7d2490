/**
 * What `@connector-auth/widget` is where there is no browser: it can be imported, and registers nothing. A page rendered
 * there holds an empty `<connector-auth>`, which the browser fills.
 */
// oxlint-disable-next-line no-extraneous-class -- stands in for the element's class
export class ConnectorAuthElement {
  /** Adds a language where there is somebody to read it: not here. */
  static registerLanguage(): void {}
}

// The properties have to be known as such: a framework that renders the element would write them as attributes else.
const properties = [
  'tokenUrl',
  'getToken',
  'serviceUrl',
  'tokenCredentials',
  'theme',
  'source',
  'sources',
  'oauthMode',
  'oauthRedirectUrl',
  'modal',
  'messages',
];
for (const name of properties) Object.defineProperty(ConnectorAuthElement.prototype, name, { value: null });
