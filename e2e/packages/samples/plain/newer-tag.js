// The second version beside the first, under a tag of its own.
import { ConnectorAuthElement } from './newer/element.js';

customElements.define('newer-connector-auth', ConnectorAuthElement);
