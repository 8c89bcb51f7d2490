/** The types of `<connector-auth>` in JSX with React 19: `/// <reference types="@connector-auth/widget/types/react" />`. */
import type { ConnectorAuthAttributes, ConnectorAuthElement, ConnectorAuthListeners } from './attributes.ts';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'connector-auth': ConnectorAuthAttributes &
        ConnectorAuthListeners<'on'> &
        DetailedHTMLProps<HTMLAttributes<ConnectorAuthElement>, ConnectorAuthElement>;
    }
  }
}
