type Descriptions = Readonly<Record<string, string>>;

/** The parts and slots of an element, with descriptions for the manifest and editors. */
export interface Styling {
  readonly parts: Descriptions;
  readonly slots: Descriptions;
}

/** The `::part`s of the widget. */
const parts: Descriptions = {
  panel: 'The box around everything.',
  dialog: 'The dialog around the panel, shown by open().',
  'close-button': 'Closes the dialog.',
  header: 'The top of a screen: icon, title and lead.',
  title: 'The heading of a screen.',
  lead: 'The sentence below a title.',
  heading: 'The heading of a group or a notice.',
  icon: 'A source’s icon or initial.',
  search: 'The search field with its icon and button.',
  'search-input': 'The text field in which users search.',
  'clear-button': 'Clears the search field.',
  connected: 'The group of connectors.',
  connector: 'The button of a connector.',
  sources: 'The group of sources.',
  source: 'The button of a source.',
  name: 'The name in a row.',
  description: 'The sentence below a name in a row.',
  state: 'The state of a connector, in a row or a card.',
  badge: 'The badge of a source that is not certified.',
  action: 'The word at the end of a source’s row.',
  'request-button': 'Requests a source that is not in the list.',
  method: 'The button of a method to connect.',
  form: 'The form for credentials.',
  field: 'A control with its label, hint and error.',
  label: 'The label of a control.',
  input: 'A text field, text area or choice.',
  checkbox: 'A checkbox.',
  hint: 'A sentence that explains a field or a notice.',
  optional: 'The word beside the label of an optional field.',
  advanced: 'The optional settings, which can be expanded.',
  group: 'A group of fields with a heading.',
  'field-error': 'The error of a field.',
  'reveal-button': 'Shows or hides a secret.',
  access: 'What a connection reads, changes and syncs.',
  'access-row': 'One row of it.',
  entities: 'The types of data, which can be expanded.',
  guide: 'How to obtain the credentials.',
  'guide-step': 'One step of it.',
  'help-link': 'The link to the vendor’s help.',
  'support-link': 'The link to the integrator’s support page.',
  logo: 'The integrator’s logo.',
  trust: 'The sentence about how credentials are stored.',
  notice: 'An error on a screen that remains usable.',
  message: 'The main content of a screen without a list: an empty state, an error or a success message.',
  sign: 'The round icon above this content.',
  reference: 'The request id, with which support can find an error.',
  account: 'An account with its checkbox.',
  'select-all': 'The checkbox for all accounts.',
  records: 'The number of imported records.',
  footer: 'The actions at the bottom of a screen.',
  skeleton: 'A placeholder while content loads.',
  status: 'The strip with the state of a connector, and what the user can do about it.',
  'read-only': 'The note that a connection changes nothing.',
  sync: 'The types of data of a connector.',
  'sync-entity': 'The sync of one type of data.',
  'sync-error': 'Why it cannot be synced.',
  accounts: 'The number of chosen accounts.',
  activity: 'The most recent activity of a connector.',
  'activity-entry': 'One entry of it.',
  progress: 'The progress bar of a sync.',
  confirmation: 'The confirmation of a destructive action.',
  'back-button': 'Goes one step back.',
  'primary-button': 'The main action of a screen.',
  'consent-link': 'Reopens the consent window.',
  button: 'All other buttons with text.',
  'link-button': 'Offers to send a link to a colleague who can connect the source.',
  'cancel-link-button': 'Cancels that link.',
  'sync-button': 'Requests a sync of a connector.',
  'accounts-button': 'Opens the choice of accounts.',
  'rename-button': 'Starts renaming a connector.',
  'reconnect-button': 'Starts reconnecting a connector.',
  'disconnect-button': 'Asks for confirmation to delete a connector.',
  'confirm-button': 'Confirms a destructive action.',
};

/** The custom properties of all elements. */
export const properties: Descriptions = {
  '--connector-auth-accent':
    'Colour of main actions, links and focus. Text on it is black or white, whichever has more contrast.',
  '--connector-auth-surface': 'Background of the panel.',
  '--connector-auth-raised': 'Background of cards and of rows under the pointer.',
  '--connector-auth-text': 'Colour of text.',
  '--connector-auth-muted': 'Colour of secondary text.',
  '--connector-auth-line': 'Colour of dividers.',
  '--connector-auth-field-line': 'Border colour of controls; needs a contrast of 3:1 with the surface.',
  '--connector-auth-danger': 'Colour of errors and destructive actions.',
  '--connector-auth-success': 'Colour of success.',
  '--connector-auth-warning': 'Colour of warnings.',
  '--connector-auth-radius': 'Corner radius of the panel; the others are derived from it.',
  '--connector-auth-gap': 'Spacing.',
  '--connector-auth-font': 'Font family.',
  '--connector-auth-font-size': 'Font size; all other sizes are relative to it.',
  '--connector-auth-height': 'Height of the panel, which scrolls inside. `auto` grows with the content.',
};

/** The slots of the widget. */
const slots: Descriptions = {
  header: 'Above every screen, inside the panel.',
  footer: 'Below every screen, inside the panel.',
  next: 'The text of the primary action on the success screen.',
  empty: 'Replaces the message that there are no sources.',
  request: 'Replaces the button that requests a source that is not in the list.',
};

export const widgetStyling: Styling = { parts, slots };

export const providerStyling: Styling = { parts: {}, slots: { '': 'The elements that share the flow.' } };

export const buttonStyling: Styling = {
  parts: {
    button: 'The button.',
    loading: 'The button while the sources load.',
    unavailable: 'The button of a source that the customer cannot connect.',
    connect: 'The button of a source that is not connected.',
    connected: 'The button of a source that is connected.',
    reconnect: 'The button of a source whose sign-in has expired.',
  },
  slots: {
    '': 'The label, unless the source is connected.',
    connected: 'The label if the source is connected.',
    reconnect: 'The label if its sign-in has expired.',
  },
};

export const statusStyling: Styling = {
  parts: {
    status: 'The dot and the word.',
    word: 'The word.',
    current: 'The status of a source that is up to date.',
    syncing: 'The status of a source that is synced now.',
    limited: 'The status of a source that is delayed by the vendor’s rate limit.',
    failing: 'The status of a source that cannot be synced.',
    expired: 'The status of a source whose sign-in has expired.',
    paused: 'The status of a source that was paused.',
  },
  slots: { '': 'Shown if the source is not connected.' },
};
