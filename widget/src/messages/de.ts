import type { Messages } from './messages.ts';

// Small integers need no formatting, and the first call of `toLocaleString` takes milliseconds.
const number = (value: number): string =>
  value % 1 || value > 999 ? value.toLocaleString('de', { maximumFractionDigits: 20 }) : String(value);

/** German. */
export const messages: Messages = {
  language: 'de',
  direction: 'ltr',

  catalogTitle: 'Quelle verbinden',
  catalogLead: 'Wählen Sie, wo Ihre Daten liegen.',
  searchLabel: 'Quellen durchsuchen',
  clearSearch: 'Suche leeren',
  connectedHeading: 'Verbunden',
  availableHeading: 'Verfügbare Quellen',
  certified: 'Zertifiziert',
  loadingSources: 'Quellen werden geladen',
  sourcesFound: count => (count === 1 ? '1 Quelle' : `${number(count)} Quellen`),
  noMatchTitle: query => `Keine Quelle passt zu „${query}“`,
  noMatchHint: 'Prüfen Sie die Schreibweise oder suchen Sie nach einem kürzeren Wort.',
  emptyTitle: 'Noch keine Quellen',
  emptyHint: 'Quellen erscheinen hier, sobald sie für Sie freigeschaltet sind.',
  emptyHintBy: integrator => `Quellen erscheinen hier, sobald ${integrator} sie für Sie freischaltet.`,

  statusActive: 'Verbunden',
  statusNeedsReauth: 'Anmeldung abgelaufen',
  statusPaused: 'Pausiert',
  statusPartlyFailing: 'Teilweise fehlgeschlagen',
  statusFailing: 'Synchronisierung fehlgeschlagen',
  statusSyncing: 'Wird synchronisiert',
  statusLimited: 'Vom Anbieter pausiert',
  manage: 'Verwalten:',

  back: 'Zurück',
  cancel: 'Abbrechen',
  close: 'Schließen',
  retry: 'Erneut versuchen',
  opening: source => `${source} wird geöffnet`,

  methodTitle: source => `Wie möchten Sie ${source} verbinden?`,
  noMethodTitle: source => `${source} ist noch nicht verfügbar`,
  noMethodHint: 'Der Support kann Ihnen mehr dazu sagen.',

  formTitle: source => `${source} verbinden`,
  nameLabel: 'Name der Verbindung',
  nameHint: 'So können Sie Ihre Verbindungen unterscheiden.',
  optional: 'optional',
  chooseOption: 'Auswählen…',
  show: label => `${label} anzeigen`,
  hide: label => `${label} verbergen`,
  helpLink: 'Wo finde ich das?',
  opensInNewTab: 'öffnet in neuem Tab',
  connect: 'Verbinden',
  connecting: 'Wird verbunden…',
  checking: source => `Ihre Angaben werden mit ${source} geprüft`,
  trust: 'Ihre Angaben werden verschlüsselt gespeichert und nie wieder angezeigt.',
  trustSignIn: source => `Sie melden sich bei ${source} an. Ihr Passwort sehen wir nie.`,
  trustBy: integrator => `Verschlüsselt gespeichert. ${integrator} zeigt Ihren Schlüssel nie wieder an.`,
  trustSignInBy: (source, integrator) =>
    `Sie melden sich bei ${source} an. ${integrator} sieht Ihr Passwort nie.`,
  issuesFound: count => (count === 1 ? 'Prüfen Sie 1 Feld' : `Prüfen Sie ${number(count)} Felder`),
  notConnected: 'Verbindung fehlgeschlagen',

  missing: label => `Geben Sie einen Wert ein: ${label}`,
  pattern: label => `${label}: Bitte prüfen Sie die Eingabe`,
  number: label => `${label}: Geben Sie eine Zahl ein`,
  integer: label => `${label}: Geben Sie eine ganze Zahl ein`,
  tooShort: limit => `Geben Sie mindestens ${number(limit)} Zeichen ein`,
  tooLong: limit => `Geben Sie höchstens ${number(limit)} Zeichen ein`,
  tooSmall: limit => `Geben Sie ${number(limit)} oder mehr ein`,
  tooLarge: limit => `Geben Sie ${number(limit)} oder weniger ein`,

  advanced: 'Erweiterte Einstellungen',

  waitingTitle: source => `Weiter im ${source}-Fenster`,
  waitingHint:
    'Melden Sie sich dort an und erlauben Sie den Zugriff. Diese Seite aktualisiert sich danach automatisch.',
  reopen: source => `${source}-Fenster erneut öffnen`,
  blockedTitle: source => `Öffnen Sie ${source}, um fortzufahren`,
  blockedHint: 'Ihr Browser hat das Pop-up-Fenster blockiert.',
  leavingTitle: source => `Sie werden zu ${source} weitergeleitet`,
  leavingHint: 'Danach kehren Sie hierher zurück.',
  openVendor: source => `${source} öffnen`,
  deniedTitle: 'Sie haben den Zugriff nicht erlaubt. Es wurde nichts gespeichert.',
  expiredTitle: 'Zeitüberschreitung bei der Anmeldung',
  expiredHint: 'Beginnen Sie von vorn, wenn Sie so weit sind.',

  replaceTitle: source => `Sie haben sich bei einem anderen ${source}-Konto angemeldet`,
  replaceHint: 'Beim Wechsel werden die aus dem bisherigen Konto importierten Daten gelöscht.',
  replace: 'Konto wechseln',

  connectedTitle: name => `${name} ist verbunden`,
  connectedHint: 'Ihre Daten werden importiert. Sie können diese Seite verlassen.',
  done: 'Fertig',

  connectedSince: date => `Verbunden am ${date}`,
  activeHint: 'Diese Verbindung funktioniert.',
  needsReauthHint: source =>
    `Ihre Anmeldung bei ${source} ist abgelaufen. Verbinden Sie die Quelle neu, um die Synchronisierung fortzusetzen.`,
  pausedHint: 'Diese Verbindung ist pausiert. Wenden Sie sich an den Support, um sie fortzusetzen.',
  pausedHintBy: integrator =>
    `Von ${integrator} pausiert. Wenden Sie sich an den dortigen Support, um die Verbindung fortzusetzen.`,
  rename: 'Umbenennen',
  save: 'Speichern',
  reconnect: 'Neu verbinden',
  syncBuilding: 'Import läuft',
  syncPreview: 'Aktuelle Daten sind verfügbar. Der Rest wird importiert…',
  syncReady: 'Auf dem neuesten Stand',
  records: count => (count === 1 ? '1 Datensatz' : `${number(count)} Datensätze`),
  disconnect: 'Trennen',
  disconnectTitle: name => `${name} trennen?`,
  disconnectHint:
    'Ihre gespeicherten Zugangsdaten und alle importierten Daten werden gelöscht. Das lässt sich nicht rückgängig machen.',
  disconnecting: 'Wird getrennt…',
  disconnected: name => `${name} ist getrennt`,

  unreachableTitle: 'Der Dienst ist nicht erreichbar',
  unreachableHint: 'Prüfen Sie Ihre Internetverbindung und versuchen Sie es erneut.',
  busyTitle: 'Zu viele Anfragen',
  busyHint: 'Versuchen Sie es in einer Minute erneut.',
  sessionTitle: 'Ihre Sitzung ist abgelaufen',
  sessionHint: 'Melden Sie sich neu an und kehren Sie dann zu dieser Seite zurück.',
  vendorTitle: source => `${source} antwortet nicht`,
  vendorHint: 'Ihre Angaben sind möglicherweise korrekt. Versuchen Sie es in einigen Minuten erneut.',
  forbiddenTitle: 'Sie haben hierauf keinen Zugriff',
  forbiddenHint: 'Wenden Sie sich an den Support, wenn Sie Zugriff benötigen.',
  frozenHint: 'Wir haben Änderungen an Verbindungen pausiert. Versuchen Sie es später erneut.',
  limitTitle: 'Sie haben die Höchstzahl erreicht',
  limitHint: 'Trennen Sie eine Quelle, die Sie nicht mehr nutzen, und versuchen Sie es erneut.',
  brokenTitle: 'Etwas ist schiefgelaufen',
  brokenHint: 'Versuchen Sie es gleich noch einmal.',
  setupTitle: 'Diese Funktion ist noch nicht eingerichtet',
  setupHint: 'Wenden Sie sich an den Support.',
  contactSupport: integrator =>
    integrator ? `Support von ${integrator} kontaktieren` : 'Support kontaktieren',
  reference: id => `Referenz: ${id}`,
};
