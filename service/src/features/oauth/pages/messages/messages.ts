/** The text shown on the pages. `{vendor}`, `{integrator}`, `{customer}` and `{site}` are placeholders. */
export interface Messages {
  readonly confirmTitle: string;
  readonly confirm: string;
  /** Replaces `confirm` if the integrator's site is unknown. */
  readonly confirmAnywhere: string;
  /** Shown if the customer has a display name. */
  readonly forCustomer: string;
  readonly confirmWarning: string;
  readonly continue: string;
  /** Shown while the browser loads the vendor's page. */
  readonly leavingTitle: string;
  readonly completedTitle: string;
  readonly completed: string;
  readonly deniedTitle: string;
  readonly denied: string;
  readonly failedTitle: string;
  readonly failed: string;
  readonly expiredTitle: string;
  readonly expired: string;
  readonly usedTitle: string;
  readonly used: string;
  readonly unknownTitle: string;
  readonly unknown: string;
  readonly elsewhereTitle: string;
  readonly elsewhere: string;
  readonly close: string;
  readonly back: string;
}
