import { propertyNames } from './properties.ts';

/**
 * Replaces the element's class on a server, so that `@connector-auth/widget` can be imported there. Registers
 * nothing. A server-rendered page contains an empty `<connector-auth>`, which the browser fills.
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
