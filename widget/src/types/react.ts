/** The types of `<connector-auth>` in JSX with React 19: `/// <reference types="@connector-auth/widget/types/react" />`. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { ConnectorAuthAttributes, ConnectorAuthElement, ConnectorAuthListeners } from './attributes.ts';

type ElementProps = DetailedHTMLProps<HTMLAttributes<ConnectorAuthElement>, ConnectorAuthElement>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'connector-auth': ConnectorAuthAttributes & ConnectorAuthListeners<'on'> & ElementProps;
    }
  }
}
