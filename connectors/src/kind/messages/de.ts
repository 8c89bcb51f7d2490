import type { Translation } from '../words.ts';
import type { en } from './en.ts';

/** German. */
export const de = {
  rejected: '{source} hat diese Angabe nicht akzeptiert. Prüfen Sie, ob sie vollständig und noch gültig ist.',
  rejectedBecause: '{source} hat diese Angabe nicht akzeptiert: „{reason}“',
  nothingToPaste: 'Für {source} gibt es keine Zugangsdaten zum Einfügen. Melden Sie sich stattdessen an.',
  denied: '{source}: Der Zugriff wurde verweigert',
  interrupted: 'Die Anmeldung wurde unterbrochen. Starten Sie sie erneut.',
} satisfies Translation<typeof en>;
