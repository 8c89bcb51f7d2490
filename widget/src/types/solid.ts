/** The types of `<connector-auth>` in JSX with Solid: `/// <reference types="@connector-auth/widget/types/solid" />`. */
import type { JSX as SolidJsx } from 'solid-js';
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

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'connector-auth': ConnectorAuthAttributes &
        ConnectorAuthListeners<'on:'> &
        SolidJsx.HTMLAttributes<ConnectorAuthElement>;
      'connector-auth-provider': ProviderAttributes &
        ConnectorAuthListeners<'on:', ConnectorAuthProviderElement> &
        SolidJsx.HTMLAttributes<ConnectorAuthProviderElement>;
      'connector-auth-button': SourceAttributes & SolidJsx.HTMLAttributes<ConnectorAuthButtonElement>;
      'connector-auth-status': SourceAttributes & SolidJsx.HTMLAttributes<ConnectorAuthStatusElement>;
    }
  }
}
