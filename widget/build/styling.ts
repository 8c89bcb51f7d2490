/** What an integrator can style and fill, a sentence each: for the manifest and the editors. */
type Sentences = Readonly<Record<string, string>>;

/** The `::part`s. */
export const parts: Sentences = {
  panel: 'The box around everything.',
  dialog: 'The dialog around the panel, when it is shown by open().',
  'close-button': 'Closes the dialog.',
  header: 'The top of a screen: picture, title and lead.',
  title: 'The heading of a screen.',
  lead: 'The sentence below a title.',
  heading: 'The heading of a group or a notice.',
  icon: 'The tile with a source’s picture or initial.',
  search: 'The search field with its sign and its button.',
  'search-input': 'The text field of the search.',
  'clear-button': 'Empties the search field.',
  connected: 'The group of connectors.',
  connector: 'The button of one connector.',
  sources: 'The group of sources.',
  source: 'The button of one source.',
  name: 'The name in a row.',
  description: 'The sentence below a name in a row.',
  state: 'How a connector is, in a row or a card.',
  badge: 'The mark of a certified source.',
  method: 'The button of one way to connect.',
  form: 'The form for the credentials.',
  field: 'A control with its label, hint and fault.',
  label: 'The label of a control.',
  input: 'A text field, text area or choice.',
  checkbox: 'A checkbox.',
  hint: 'A sentence that helps with a field or explains a notice.',
  optional: 'The word beside the label of a field that may stay empty.',
  advanced: 'The settings that are folded away.',
  group: 'Several fields with a heading.',
  'field-error': 'What is wrong with a field.',
  'reveal-button': 'The button that shows or hides a secret.',
  'help-link': 'The link to the vendor’s help.',
  trust: 'The sentence on how what was entered is kept.',
  notice: 'A failure told on a screen that stays usable.',
  message: 'The middle of a screen that has nothing to list: empty, failed, done.',
  sign: 'The round sign above such a message.',
  reference: 'The number under which support finds a failure.',
  skeleton: 'What stands in for what is on its way.',
  status: 'The card with the state of a connector.',
  sync: 'How far copying a connector’s data is.',
  'sync-entity': 'The same of one kind of data, unfolded.',
  progress: 'The bar of that.',
  confirmation: 'The question before a connector is deleted.',
  'back-button': 'Leads one step back.',
  'primary-button': 'Leads on.',
  'consent-link': 'Opens the window of a consent again.',
  button: 'Every other button with words.',
  'rename-button': 'Asks for another name of a connector.',
  'reconnect-button': 'Connects a connector again, in place.',
  'disconnect-button': 'Asks to delete a connector.',
  'confirm-button': 'Deletes a connector.',
};

/** The custom properties. */
export const properties: Sentences = {
  '--connector-auth-accent':
    'Colour of buttons that lead on, links and focus. Text on it is black or white by itself.',
  '--connector-auth-surface': 'Background of the panel.',
  '--connector-auth-raised': 'Background of what lies on the panel: rows under the pointer, cards.',
  '--connector-auth-text': 'Colour of text.',
  '--connector-auth-muted': 'Colour of text that matters less.',
  '--connector-auth-line': 'Colour of lines between things.',
  '--connector-auth-field-line': 'Colour of the lines around controls; needs 3:1 against the surface.',
  '--connector-auth-danger': 'Colour of faults, and of what deletes.',
  '--connector-auth-success': 'Colour of what went well.',
  '--connector-auth-warning': 'Colour of what needs attention.',
  '--connector-auth-radius': 'Radius of the panel’s corners; the others follow from it.',
  '--connector-auth-gap': 'Space between things.',
  '--connector-auth-font': 'Font family.',
  '--connector-auth-font-size': 'Font size; everything else is measured in it.',
  '--connector-auth-height':
    'Height of the panel; what is longer scrolls inside. `auto` grows with what is shown.',
};

/** The slots. */
export const slots: Sentences = {
  header: 'Stands above every screen, inside the panel.',
  footer: 'Stands below every screen, inside the panel.',
  empty: 'Stands in place of the message that there are no sources.',
};

/** The values of attributes that take one of a few. */
export const values: Readonly<Record<string, readonly string[]>> = {
  'oauth-mode': ['popup', 'redirect'],
  theme: ['light', 'dark', 'auto'],
  'token-credentials': ['same-origin', 'include', 'omit'],
};
