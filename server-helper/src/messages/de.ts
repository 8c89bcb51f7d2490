import type { Messages } from './messages.ts';

export const de: Messages = {
  failed: {
    title: 'Etwas ist schiefgegangen',
    text: 'Es wurde nichts verbunden. Versuchen Sie es in einigen Minuten erneut.',
  },
  over: {
    title: 'Dieser Link funktioniert nicht mehr',
    text: 'Er ist abgelaufen, wurde zurückgezogen oder bereits verwendet. Bitten Sie um einen neuen.',
  },
  late: {
    title: 'Das hat zu lange gedauert',
    text: 'Es wurde nichts verbunden. Versuchen Sie es erneut und fahren Sie innerhalb von fünf Minuten fort.',
  },
  signedOut: {
    title: 'Melden Sie sich zuerst an',
    text: 'Melden Sie sich in diesem Browser bei Ihrem Konto an und versuchen Sie es dann erneut.',
  },
  otherAccount: {
    title: 'Dieser Link ist für ein anderes Konto',
    text: 'Es wurde nichts verbunden. Melden Sie sich bei dem Konto an, für das der Link bestimmt ist, und öffnen Sie ihn erneut, oder bitten Sie um einen neuen Link.',
  },
  incomplete: {
    title: 'Diese Adresse ist unvollständig',
    text: 'Öffnen Sie den Link, den Sie erhalten haben, noch einmal.',
  },
  framed: {
    title: 'Öffnen Sie diesen Link in einem eigenen Fenster',
    text: 'Öffnen Sie den Link, den Sie erhalten haben, in einem neuen Tab Ihres Browsers.',
  },
  tryAgain: 'Erneut versuchen',
};
