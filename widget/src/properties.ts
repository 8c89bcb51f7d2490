import type { Messages } from './messages/messages.ts';
import type { GetToken } from './service/widget-token.ts';

/** The properties of `<connector-auth>`; {@link propertySpecs} says how each one behaves. */
export interface ConnectorAuthProperties {
  /** A route of your backend that responds to a POST with `{token, expires_in, service_url}`. */
  tokenUrl: string | null;
  /** Replaces `tokenUrl`: a function that returns a promise of the same object. */
  getToken: GetToken | null;
  /** The service's base URL, if the token response has no `service_url`. */
  serviceUrl: string | null;
  /**
   * Whether requests to the token URL send cookies: `same-origin` (default), `include` (cross-origin) or
   * `omit`.
   */
  tokenCredentials: string;
  /** `light`, `dark` or `auto` (the user's setting). Default: the `color-scheme` of the page. */
  theme: string | null;
  /** The connector type to open at once, for example `gong`. No other is shown. */
  source: string | null;
  /** The connector types to show, separated by commas. Default: all that the token allows. */
  sources: string | null;
  /**
   * Where users give consent: `popup`, or `redirect` in this window. Default: `redirect` only in in-app
   * browsers.
   */
  oauthMode: string | null;
  /** Where the redirect returns to, on this page's origin. Default: this page. */
  oauthRedirectUrl: string | null;
  /** Shows the widget as a dialog, opened by `open()`. */
  modal: boolean;
  /** Replaces texts in every language. */
  messages: Partial<Messages> | null;
}

/**
 * How a property behaves. Each also has an attribute with its name in kebab case, unless it says otherwise.
 */
export interface PropertySpec {
  readonly attribute?: false;
  /** The values that it allows. */
  readonly values?: readonly string[];
  /** It must be an http(s) URL. */
  readonly isUrl?: true;
  /** A change takes effect at once. A change of any other property restarts the flow. */
  readonly isLive?: true;
  /** Default: null. */
  readonly initial?: string | boolean;
  /** As in Lit's property declarations. */
  readonly reflect?: true;
  readonly type?: typeof Boolean;
}

/** The one list of properties: declaration, validation, the server's class and editor data derive from it. */
export const propertySpecs: Readonly<Record<keyof ConnectorAuthProperties, PropertySpec>> = {
  tokenUrl: { isUrl: true },
  getToken: { attribute: false },
  serviceUrl: { isUrl: true },
  tokenCredentials: { values: ['same-origin', 'include', 'omit'], initial: 'same-origin' },
  theme: { values: ['light', 'dark', 'auto'], isLive: true, reflect: true },
  source: {},
  sources: {},
  oauthMode: { values: ['popup', 'redirect'] },
  oauthRedirectUrl: { isUrl: true },
  modal: { type: Boolean, initial: false, isLive: true, reflect: true },
  messages: { attribute: false, isLive: true },
};

// The names are those of the record.
export const propertyNames = Object.keys(propertySpecs) as (keyof ConnectorAuthProperties)[];

/** Returns the attribute of a property: its name in kebab case. */
export function attributeOf(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}
