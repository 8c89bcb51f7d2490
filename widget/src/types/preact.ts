/** The types of `<connector-auth>` in JSX with Preact: `/// <reference types="@connector-auth/widget/types/preact" />`. */
import type { HTMLAttributes } from 'preact';
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

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'connector-auth': ConnectorAuthAttributes &
        ConnectorAuthListeners<'on'> &
        HTMLAttributes<ConnectorAuthElement>;
      'connector-auth-provider': ProviderAttributes &
        ConnectorAuthListeners<'on', ConnectorAuthProviderElement> &
        HTMLAttributes<ConnectorAuthProviderElement>;
      'connector-auth-button': SourceAttributes & HTMLAttributes<ConnectorAuthButtonElement>;
      'connector-auth-status': SourceAttributes & HTMLAttributes<ConnectorAuthStatusElement>;
    }
  }
}
