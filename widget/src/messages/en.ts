// Small integers need no formatting, and the first call of `toLocaleString` takes milliseconds.
const number = (value: number): string =>
  value % 1 || value > 999 ? value.toLocaleString('en', { maximumFractionDigits: 20 }) : String(value);
const characters = (count: number): string => (count === 1 ? '1 character' : `${number(count)} characters`);

/** The English messages, including those for screen readers. The other languages define the same keys. */
export const en = {
  /** The locale in which dates are formatted. */
  language: 'en',
  /** The text direction: `ltr` or `rtl`. */
  direction: 'ltr',

  catalogTitle: 'Connect a source',
  catalogLead: 'Choose where your data lives.',
  searchLabel: 'Search sources',
  clearSearch: 'Clear search',
  connectedHeading: 'Your connections',
  availableHeading: 'Available sources',
  otherSources: 'More sources',
  beta: 'Beta',
  addAnother: 'Add another',
  loadingSources: 'Loading sources',
  sourcesFound: (count: number) => (count === 1 ? '1 source' : `${number(count)} sources`),
  noMatchTitle: (query: string) => `No source matches “${query}”`,
  noMatchHint: 'Check the spelling, or try a shorter word.',
  request: (query: string) => `Request “${query}”`,
  requested: (query: string) => `You requested “${query}”.`,
  emptyTitle: 'No sources yet',
  emptyHint: 'Sources appear here once they’re enabled for you.',
  /** Replaces `emptyHint` if the operator has set a name for the integrator. The same applies to `trustBy`, `trustSignInBy` and `pausedHintBy`. */
  emptyHintBy: (integrator: string) => `Sources appear here once ${integrator} enables them.`,

  statusActive: 'Connected',
  statusNeedsReauth: 'Sign-in expired',
  statusPaused: 'Paused',
  statusPartlyFailing: 'Partly failing',
  statusFailing: 'Sync failing',
  statusSyncing: 'Syncing',
  statusLimited: 'Paused by your provider',
  /** Read by screen readers before the connection's name. */
  manage: 'Manage',

  back: 'Back',
  cancel: 'Cancel',
  close: 'Close',
  retry: 'Try again',
  opening: (source: string) => `Opening ${source}`,

  methodTitle: (source: string) => `How would you like to connect ${source}?`,
  noMethodTitle: (source: string) => `${source} isn’t available yet`,
  noMethodHint: 'Contact support to find out more.',

  formTitle: (source: string) => `Connect ${source}`,
  nameLabel: 'Connection name',
  nameHint: 'Helps you tell your connections apart.',
  optional: 'optional',
  chooseOption: 'Choose…',
  show: (label: string) => `Show ${label}`,
  hide: (label: string) => `Hide ${label}`,
  helpLink: 'Where do I find this?',
  opensInNewTab: 'opens in a new tab',
  connect: 'Connect',
  connecting: 'Connecting…',
  checking: (source: string) => `Checking your details with ${source}`,
  trust: 'Your details are encrypted and never shown again.',
  trustSignIn: (source: string) => `You sign in with ${source}. We never see your password.`,
  trustBy: (integrator: string) => `Encrypted. ${integrator} never shows your key again.`,
  trustSignInBy: (source: string, integrator: string) =>
    `You sign in with ${source}. ${integrator} never sees your password.`,
  issuesFound: (count: number) =>
    count === 1 ? '1 field needs your attention' : `${number(count)} fields need your attention`,
  notConnected: 'Couldn’t connect',

  missing: (label: string) => `Enter ${label}`,
  pattern: (label: string) => `${label} doesn’t look right`,
  number: (label: string) => `${label} must be a number`,
  integer: (label: string) => `${label} must be a whole number`,
  tooShort: (limit: number) => `Enter at least ${characters(limit)}`,
  tooLong: (limit: number) => `Enter at most ${characters(limit)}`,
  tooSmall: (limit: number) => `Enter ${number(limit)} or more`,
  tooLarge: (limit: number) => `Enter ${number(limit)} or less`,

  advanced: 'Advanced settings',

  waitingTitle: (source: string) => `Continue in the ${source} window`,
  waitingHint: 'Sign in and allow access there. This page updates automatically when you’re done.',
  reopen: (source: string) => `Reopen ${source} window`,
  blockedTitle: (source: string) => `Open ${source} to continue`,
  blockedHint: 'Your browser blocked the pop-up.',
  leavingTitle: (source: string) => `Taking you to ${source}`,
  leavingHint: 'You’ll come back here afterwards.',
  openVendor: (source: string) => `Open ${source}`,
  deniedTitle: 'You didn’t allow access. Nothing was saved.',
  expiredTitle: 'Sign-in timed out',
  expiredHint: 'Start again when you’re ready.',

  replaceTitle: (source: string) => `You signed in to a different ${source} account`,
  replaceHint: 'Switching deletes data imported from the previous account.',
  replace: 'Switch account',

  connectedTitle: (name: string) => `${name} is connected`,
  connectedHint: 'We’re importing your data. You can leave this page.',
  done: 'Done',

  connectedSince: (date: string) => `Connected on ${date}`,
  activeHint: 'This connection is working.',
  needsReauthHint: (source: string) => `Your ${source} sign-in expired. Reconnect to resume syncing.`,
  pausedHint: 'This connection is paused. Contact support to resume it.',
  pausedHintBy: (integrator: string) =>
    `Paused by ${integrator}. Contact ${integrator} support to resume this connection.`,
  rename: 'Rename',
  save: 'Save',
  reconnect: 'Reconnect',
  syncBuilding: 'Importing',
  syncPreview: 'Recent data is ready. Importing the rest…',
  syncReady: 'Up to date',
  records: (count: number) => (count === 1 ? '1 record' : `${number(count)} records`),
  disconnect: 'Disconnect',
  disconnectTitle: (name: string) => `Disconnect ${name}?`,
  disconnectHint: 'We’ll delete your saved credentials and all imported data. This can’t be undone.',
  disconnecting: 'Disconnecting…',
  disconnected: (name: string) => `${name} is disconnected`,

  unreachableTitle: 'Can’t reach the service',
  unreachableHint: 'Check your internet connection and try again.',
  busyTitle: 'Too many requests',
  busyHint: 'Try again in a minute.',
  sessionTitle: 'Your session expired',
  sessionHint: 'Sign in again, then return to this page.',
  vendorTitle: (source: string) => `${source} isn’t responding`,
  vendorHint: 'The details you entered may be fine. Try again in a few minutes.',
  forbiddenTitle: 'You don’t have access to this',
  forbiddenHint: 'Contact support if you need access.',
  frozenHint: 'We’ve paused changes to connections. Try again later.',
  limitTitle: 'You’ve reached the limit',
  limitHint: 'Disconnect a source you no longer use, then try again.',
  brokenTitle: 'Something went wrong',
  brokenHint: 'Try again in a moment.',
  setupTitle: 'This feature isn’t set up yet',
  setupHint: 'Contact support for help.',
  /** The link to the integrator’s support page. */
  contactSupport: (integrator: string) => (integrator ? `Contact ${integrator} support` : 'Contact support'),
  reference: (id: string) => `Reference: ${id}`,
};
