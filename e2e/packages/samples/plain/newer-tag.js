// Registers the second version of the widget under its own tag name.
import { ConnectorAuthElement } from './newer/element.js';

customElements.define('newer-connector-auth', ConnectorAuthElement);
