/** The types of `<connector-auth>` in Vue templates: `/// <reference types="@connector-auth/widget/types/vue" />`. */
import type { HTMLAttributes, PublicProps } from 'vue';
import type { ConnectorAuthEvent, ConnectorAuthEventName } from '../events.ts';
import type { ConnectorAuthProperties, FlowSettings } from '../properties.ts';

// Vue converts names in templates, such as `token-url` and `@connector-auth-ready`, to camel case.
type Listeners = {
  readonly [Name in ConnectorAuthEventName as `on${Capitalize<Camel<Name>>}`]?:
    | ((event: ConnectorAuthEvent<Name>) => void)
    | undefined;
};
type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

type SourceProps = Partial<Pick<ConnectorAuthProperties, 'source'>> & HTMLAttributes & PublicProps;

declare module 'vue' {
  interface GlobalComponents {
    'connector-auth': new () => {
      $props: Partial<ConnectorAuthProperties> & Listeners & HTMLAttributes & PublicProps;
    };
    'connector-auth-provider': new () => {
      $props: Partial<FlowSettings> & Listeners & HTMLAttributes & PublicProps;
    };
    'connector-auth-button': new () => { $props: SourceProps };
    'connector-auth-status': new () => { $props: SourceProps };
  }
}
