/** Why a page offers nothing to connect. */
export type Obstacle =
  /** The address has no secret, or only a part of it. */
  | 'incomplete'
  | 'unknown'
  | 'expired'
  | 'revoked'
  | 'used'
  /** The browser lacks what the page needs. */
  | 'needs'
  /** The confirmation was requested in another browser. */
  | 'elsewhere'
  /** Another browser confirmed the link for a guest first. */
  | 'taken'
  | 'unavailable'
  | 'busy'
  | 'failed';

/** What a link is for: a new connector of one kind or of any kind, or an existing connector. */
export type Purpose = 'create' | 'createAny' | 'reconnect';

type ObstacleMessages = Readonly<Record<Obstacle | `${Obstacle}Title`, string>>;
/** A page's title, and its request to a customer's own people or to a guest. */
type PurposeMessages = Readonly<Record<`${Purpose}${'Title' | 'Asked' | 'Invited'}`, string>>;

/**
 * The text shown on the pages of connect links. `{vendor}`, `{integrator}`, `{customer}`, `{inviter}`, `{read}` and `{changed}` (data), `{site}` (of the
 * integrator) and `{when}` (such as “in 5 minutes”) are placeholders.
 */
export interface Messages extends ObstacleMessages, PurposeMessages {
  readonly opening: string;
  readonly retry: string;
  /** What the connection reads at a guest's source: `{read}` such as “campaigns and ads”. */
  readonly reads: string;
  readonly neverChanges: string;
  readonly canChange: string;
  /** Replaces `{read}` or `{changed}` if the source does not describe it. */
  readonly unnamedData: string;
  readonly check: string;
  readonly continueTo: string;
  readonly guestWarning: string;
  readonly continue: string;
  readonly limit: string;
  /** Shown while the browser loads the integrator's page. */
  readonly leaving: string;
  /** Replaces `{customer}` if the customer has no display name. */
  readonly unnamedCustomer: string;
  readonly forCustomer: string;
  readonly done: string;
  /** Replaces `done` if the vendor is unknown. */
  readonly doneAny: string;
  readonly close: string;
}
