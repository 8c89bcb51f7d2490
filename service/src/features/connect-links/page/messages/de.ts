import type { Messages } from './messages.ts';

export const de: Messages = {
  opening: 'Ihr Link wird geöffnet',
  needsTitle: 'Diese Seite benötigt JavaScript und Cookies',
  needs: 'Aktivieren Sie beides in den Einstellungen Ihres Browsers und öffnen Sie den Link dann erneut.',
  incompleteTitle: 'Dieser Link ist unvollständig',
  incomplete:
    'Öffnen Sie den Link, den Sie erhalten haben, noch einmal. Falls Sie ihn kopiert haben, kopieren Sie ihn vollständig.',
  unknownTitle: 'Dieser Link ist ungültig',
  unknown:
    'Prüfen Sie, ob Sie ihn vollständig kopiert haben, oder bitten Sie die Person, die ihn gesendet hat, um einen neuen.',
  expiredTitle: 'Dieser Link ist abgelaufen',
  expired: 'Es wurde nichts verbunden. Bitten Sie die Person, die ihn gesendet hat, um einen neuen.',
  revokedTitle: 'Dieser Link wurde zurückgezogen',
  revoked:
    'Es wurde nichts verbunden. Falls Sie ihn noch benötigen, bitten Sie die Person, die ihn gesendet hat, um einen neuen.',
  usedTitle: 'Dieser Link wurde bereits verwendet',
  used: 'Jeder Link funktioniert nur einmal. Um etwas anderes zu verbinden, bitten Sie die Person, die ihn gesendet hat, um einen neuen.',
  elsewhereTitle: 'In einem anderen Browser gestartet',
  elsewhere:
    'Zu Ihrer Sicherheit wurde nichts verbunden. Öffnen Sie den Link, den Sie erhalten haben, in diesem Browser und versuchen Sie es erneut.',
  takenTitle: 'Dieser Link ist in einem anderen Browser geöffnet',
  taken:
    'Fahren Sie dort fort. Falls das nicht Sie waren, informieren Sie die Person, die ihn gesendet hat, und bitten Sie um einen neuen.',
  unavailableTitle: 'Dieser Link kann gerade nicht verwendet werden',
  unavailable:
    '{integrator} kann nicht prüfen, wer Sie sind. Versuchen Sie es später erneut oder wenden Sie sich an den Support von {integrator}.',
  busyTitle: 'Zu viele Anfragen',
  busy: 'Versuchen Sie es in einer Minute erneut.',
  failedTitle: 'Etwas ist schiefgegangen',
  failed: 'Prüfen Sie Ihre Internetverbindung und versuchen Sie es dann erneut.',
  retry: 'Erneut versuchen',
  createTitle: '{vendor} verbinden',
  createAsked: '{integrator} bittet Sie, Ihr Konto bei {vendor} zu verbinden.',
  createInvited:
    '{inviter} lädt Sie ein, Ihr Konto bei {vendor} zu verbinden, damit {customer} dessen Daten in {integrator} nutzen kann.',
  createAnyTitle: 'Eine Datenquelle verbinden',
  createAnyAsked: '{integrator} bittet Sie, eine Ihrer Datenquellen zu verbinden.',
  createAnyInvited:
    '{inviter} lädt Sie ein, eine Datenquelle zu verbinden, damit {customer} deren Daten in {integrator} nutzen kann.',
  reconnectTitle: '{vendor} erneut verbinden',
  reconnectAsked: '{integrator} bittet Sie, sich erneut bei {vendor} anzumelden.',
  reconnectInvited:
    '{inviter} lädt Sie ein, sich erneut bei {vendor} anzumelden, damit {customer} die Daten in {integrator} nutzen kann.',
  reads: '{integrator} liest: {read}.',
  neverChanges: '{integrator} ändert Ihre Daten nie.',
  canChange: '{integrator} kann ändern: {changed}.',
  unnamedData: 'Daten',
  check: 'Zuerst prüft {site}, ob Sie angemeldet sind. Danach kehren Sie hierher zurück.',
  continueTo: 'Weiter zu {site}',
  guestWarning:
    'Fahren Sie nur fort, wenn Sie diese Einladung von {inviter} erwartet haben. Wenn Sie unsicher sind, schließen Sie diese Seite und fragen Sie nach.',
  continue: 'Weiter',
  limit: 'Dieser Link funktioniert nur einmal und läuft {when} ab.',
  leaving: 'Sie werden zu {site} weitergeleitet',
  unnamedCustomer: 'das Team',
  forCustomer: 'Für {customer}',
  done: '{vendor} ist verbunden',
  doneAny: 'Ihre Quelle ist verbunden',
  close: 'Sie können diese Seite schließen.',
};
