import type { ConnectorAuthElement } from '../connector-auth.ts';
import type { ConnectorAuthEvent, ConnectorAuthEventName } from '../events.ts';
import type {
  ConnectorAuthButtonElement,
  ConnectorAuthProviderElement,
  ConnectorAuthStatusElement,
} from '../lit/index.ts';
import type { ConnectorAuthProperties, FlowSettings } from '../properties.ts';

/** Properties that have no attribute, because their values are functions and objects. */
type ObjectProperty = 'getToken' | 'icons' | 'messages';

/** The attributes and properties that a template can set, with attributes in kebab case as in HTML. */
type ConnectorAuthAttributes = {
  readonly [Name in Exclude<keyof ConnectorAuthProperties, ObjectProperty> as Kebab<Name>]?:
    | ConnectorAuthProperties[Name]
    | undefined;
} & { readonly [Name in ObjectProperty]?: ConnectorAuthProperties[Name] | undefined };

/** The same for `<connector-auth-provider>`. */
type ProviderAttributes = Pick<
  ConnectorAuthAttributes,
  Kebab<Exclude<keyof FlowSettings, ObjectProperty>> | Extract<keyof FlowSettings, ObjectProperty>
>;

/** The same for `<connector-auth-button>` and `<connector-auth-status>`. */
type SourceAttributes = Pick<ConnectorAuthAttributes, 'source'>;

/** The elements by tag. */
export interface Elements {
  'connector-auth': ConnectorAuthElement;
  'connector-auth-provider': ConnectorAuthProviderElement;
  'connector-auth-button': ConnectorAuthButtonElement;
  'connector-auth-status': ConnectorAuthStatusElement;
}

/** What JSX accepts for each element, beside a framework's own attributes of all elements. */
export interface JsxAttributes<Prefix extends 'on' | 'on:'> {
  'connector-auth': ConnectorAuthAttributes & ConnectorAuthListeners<Prefix>;
  'connector-auth-provider': ProviderAttributes &
    ConnectorAuthListeners<Prefix, ConnectorAuthProviderElement>;
  'connector-auth-button': SourceAttributes;
  'connector-auth-status': SourceAttributes;
}

/** The listeners for the events of `<connector-auth>` and its provider, named `on` or `on:` and the event's name. */
type ConnectorAuthListeners<Prefix extends 'on' | 'on:', Target = ConnectorAuthElement> = {
  readonly [Name in ConnectorAuthEventName as `${Prefix}${Name}`]?:
    | ((event: ConnectorAuthEvent<Name> & { readonly currentTarget: Target }) => void)
    | undefined;
};

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${Kebab<Rest>}`
    : `-${Lowercase<First>}${Kebab<Rest>}`
  : Name;
