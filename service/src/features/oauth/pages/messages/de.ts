import type { Messages } from './messages.ts';

export const de: Messages = {
  confirmTitle: '{vendor} verbinden?',
  confirm: '{integrator} ({site}) möchte auf Ihre Daten bei {vendor} zugreifen.',
  confirmAnywhere: '{integrator} möchte auf Ihre Daten bei {vendor} zugreifen.',
  forCustomer: 'Für {customer}',
  confirmWarning:
    'Fahren Sie nur fort, wenn Sie diesen Vorgang selbst gestartet haben. Wenn Ihnen jemand einen Link geschickt hat, schließen Sie dieses Fenster.',
  continue: 'Weiter zu {vendor}',
  leavingTitle: 'Sie werden zu {vendor} weitergeleitet',
  completedTitle: 'Zugriff erlaubt',
  completed: '{integrator} stellt die Verbindung zu {vendor} her.',
  deniedTitle: 'Nicht verbunden',
  denied: 'Sie haben den Zugriff auf {vendor} nicht erlaubt. Es wurde nichts gespeichert.',
  failedTitle: '{vendor} konnte nicht verbunden werden',
  failed: 'Es wurde nichts gespeichert. Bitte versuchen Sie es erneut.',
  expiredTitle: 'Zeit für die Anmeldung abgelaufen',
  expired:
    'Ihre Anfrage, {vendor} zu verbinden, ist abgelaufen. Es wurde nichts gespeichert. Beginnen Sie von vorn, wenn Sie so weit sind.',
  usedTitle: 'Dieser Link wurde bereits verwendet',
  used: 'Jeder Link zum Verbinden von {vendor} funktioniert nur einmal. Beginnen Sie von vorn, um einen neuen Link zu erhalten.',
  unknownTitle: 'Dieser Link ist ungültig oder abgelaufen',
  unknown: 'Beginnen Sie von vorn, um einen neuen Link zu erhalten.',
  elsewhereTitle: 'In einem anderen Browser gestartet',
  elsewhere: 'Zu Ihrer Sicherheit wurde nichts verbunden. Beginnen Sie in diesem Browser von vorn.',
  close: 'Sie können dieses Fenster schließen.',
  back: 'Zurück zu {site}',
};
