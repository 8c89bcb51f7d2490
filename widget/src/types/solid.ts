/** The types of `<connector-auth>` in JSX with Solid: `/// <reference types="@connector-auth/widget/types/solid" />`. */
import type { JSX as SolidJsx } from 'solid-js';
import type { ConnectorAuthAttributes, ConnectorAuthElement, ConnectorAuthListeners } from './attributes.ts';

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'connector-auth': ConnectorAuthAttributes &
        ConnectorAuthListeners<'on:'> &
        SolidJsx.HTMLAttributes<ConnectorAuthElement>;
    }
  }
}
