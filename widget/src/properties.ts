import type { Messages } from './messages/messages.ts';
import type { GetToken } from './service/widget-token.ts';

/** The properties of `<connector-auth>`. {@link propertySpecs} describes the behaviour of each property. */
export interface ConnectorAuthProperties {
  /** A route on your backend that responds to a POST with `{token, expires_in, service_url}`. */
  tokenUrl: string | null;
  /** Replaces `tokenUrl`: a function that returns a promise of the same object. */
  getToken: GetToken | null;
  /** The service's base URL, if the token response omits `service_url`. */
  serviceUrl: string | null;
  /**
   * Whether requests to the token URL send cookies: `same-origin` (default), `include` (cross-origin) or
   * `omit`.
   */
  tokenCredentials: 'same-origin' | 'include' | 'omit';
  /** `light`, `dark` or `auto` (the user's setting). Default: the `color-scheme` of the page. */
  theme: 'light' | 'dark' | 'auto' | null;
  /** `reduce` stops animations for everyone, as each user's own setting does for them. */
  motion: 'reduce' | null;
  /** The connector type to open immediately, for example `gong`: its form, or its connector. */
  source: string | null;
  /** The id of the connector to reconnect immediately. */
  reconnect: string | null;
  /** The connector types to show, separated by commas. Default: all types that the token allows. */
  sources: string | null;
  /**
   * Your approved logos by connector type: `{gong: '/logos/gong.svg'}`. Only `data:` images and URLs of this
   * page's origin; others are ignored.
   */
  icons: Readonly<Record<string, string>> | null;
  /** Offers to request a source that is not in the list. Listen to `connector-auth-request`. */
  requests: boolean;
  /**
   * Where users give consent: `popup`, or `redirect` in this window. Default: `redirect` only in in-app
   * browsers.
   */
  oauthMode: 'popup' | 'redirect' | null;
  /** The URL to return to after a redirect, on this page's origin. Default: this page. */
  oauthRedirectUrl: string | null;
  /** Shows the widget as a dialog, which `open()` opens. */
  modal: boolean;
  /** Overrides messages in every language. */
  messages: Partial<Messages> | null;
}

/** The properties that concern the flow. The others concern how a widget shows it. */
export type FlowSettings = Pick<
  ConnectorAuthProperties,
  | 'tokenUrl'
  | 'getToken'
  | 'serviceUrl'
  | 'tokenCredentials'
  | 'source'
  | 'reconnect'
  | 'sources'
  | 'icons'
  | 'oauthMode'
  | 'oauthRedirectUrl'
>;

/**
 * Describes how a property behaves. By default, a property also has an attribute with its name in kebab case.
 */
export interface PropertySpec {
  readonly attribute?: false;
  /** The allowed values. */
  readonly values?: readonly string[];
  /** Whether the value must be an http(s) URL. */
  readonly isUrl?: true;
  /** Whether a change takes effect without restarting the flow. */
  readonly isLive?: true;
  /** The default value; null if omitted. */
  readonly initial?: string | boolean;
  /** As in Lit's property declarations. */
  readonly reflect?: true;
  readonly type?: typeof Boolean;
  readonly hasChanged?: (value: unknown, old: unknown) => boolean;
}

/** The list from which property declarations, validation, the server's class and editor data are derived. */
export const propertySpecs: Readonly<Record<keyof ConnectorAuthProperties, PropertySpec>> = {
  tokenUrl: { isUrl: true },
  getToken: { attribute: false },
  serviceUrl: { isUrl: true },
  tokenCredentials: { values: ['same-origin', 'include', 'omit'], initial: 'same-origin' },
  theme: { values: ['light', 'dark', 'auto'], isLive: true, reflect: true },
  motion: { values: ['reduce'], isLive: true, reflect: true },
  source: {},
  reconnect: {},
  sources: {},
  // Frameworks pass a new object with the same content whenever they render.
  icons: {
    attribute: false,
    hasChanged: (value, old) => JSON.stringify(value) !== JSON.stringify(old),
  },
  requests: { type: Boolean, initial: false, isLive: true },
  oauthMode: { values: ['popup', 'redirect'] },
  oauthRedirectUrl: { isUrl: true },
  modal: { type: Boolean, initial: false, isLive: true, reflect: true },
  messages: { attribute: false, isLive: true },
};

// The keys come from the record.
export const propertyNames = Object.keys(propertySpecs) as (keyof ConnectorAuthProperties)[];

/** Returns the attribute name for a property: its name in kebab case. */
export function attributeOf(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}
