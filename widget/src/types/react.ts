/** The types of `<connector-auth>` in JSX with React 19: `/// <reference types="@connector-auth/widget/types/react" />`. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type {
  ConnectorAuthAttributes,
  ConnectorAuthButtonElement,
  ConnectorAuthElement,
  ConnectorAuthListeners,
  ConnectorAuthProviderElement,
  ConnectorAuthStatusElement,
  ProviderAttributes,
  SourceAttributes,
} from './attributes.ts';

type ElementProps<Element> = DetailedHTMLProps<HTMLAttributes<Element>, Element>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'connector-auth': ConnectorAuthAttributes &
        ConnectorAuthListeners<'on'> &
        ElementProps<ConnectorAuthElement>;
      'connector-auth-provider': ProviderAttributes &
        ConnectorAuthListeners<'on', ConnectorAuthProviderElement> &
        ElementProps<ConnectorAuthProviderElement>;
      'connector-auth-button': SourceAttributes & ElementProps<ConnectorAuthButtonElement>;
      'connector-auth-status': SourceAttributes & ElementProps<ConnectorAuthStatusElement>;
    }
  }
}
