import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** German. */
export const de = {
  description: 'Besprechungsnotizen und Transkripte',
  category: 'Besprechungen',
  reads: ['Besprechungsnotizen', 'Teilnehmende', 'Transkripte'],
  apiKey: {
    title: 'API-Schlüssel',
    description:
      'Erstellen Sie in Granola unter Settings → API einen Schlüssel. Dafür ist ein Business- oder Enterprise-Tarif nötig.',
    instead: 'Stattdessen einen API-Schlüssel verwenden',
    steps: [
      'Öffnen Sie die Granola-App und wählen Sie Settings → API.',
      'Erstellen Sie einen Schlüssel. Wählen Sie, ob er Ihre eigenen Notizen oder die des Workspace liest.',
      'Kopieren Sie den Schlüssel und fügen Sie ihn hier ein.',
    ],
    who: 'Alle mit einem Business- oder Enterprise-Tarif. Für den ganzen Workspace ein Admin.',
    hint: 'Beginnt mit grn_',
    missing: 'Fügen Sie den API-Schlüssel ein',
    tooLong: 'Der API-Schlüssel ist zu lang',
    characters: 'Ein API-Schlüssel enthält keine Leer- oder Sonderzeichen',
  },
  notes: {
    title: 'Besprechungsnotizen',
    access: 'Titel, Zusammenfassungen, Teilnehmende und Transkripte Ihrer Besprechungen.',
  },
} satisfies Translation<typeof en>;
