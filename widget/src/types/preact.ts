/** The types of `<connector-auth>` in JSX with Preact: `/// <reference types="@connector-auth/widget/types/preact" />`. */
import type { HTMLAttributes } from 'preact';
import type { ConnectorAuthAttributes, ConnectorAuthElement, ConnectorAuthListeners } from './attributes.ts';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'connector-auth': ConnectorAuthAttributes &
        ConnectorAuthListeners<'on'> &
        HTMLAttributes<ConnectorAuthElement>;
    }
  }
}
