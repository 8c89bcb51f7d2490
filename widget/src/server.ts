import { propertyNames } from './properties.ts';

/**
 * What `@connector-auth/widget` exports on a server: it can be imported and registers nothing. A page
 * rendered there contains an empty `<connector-auth>`, which the browser fills.
 */
// oxlint-disable-next-line no-extraneous-class -- replaces the element's class
export class ConnectorAuthElement {
  /** Does nothing on a server. */
  static registerLanguage(): void {}
}

// A framework that renders the element would otherwise write its properties as attributes.
for (const name of propertyNames) {
  Object.defineProperty(ConnectorAuthElement.prototype, name, { value: null });
}
