import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** German. */
export const de = {
  description: 'Verkaufsgespräche: Aufzeichnungen, Themen, Transkripte',
  category: 'Verkaufsgespräche',
  reads: ['Gespräche', 'Teilnehmende', 'Transkripte', 'Nutzer'],
  signIn: {
    title: 'Mit Gong anmelden',
    description:
      'Ein technischer Gong-Admin meldet sich an und erlaubt den Zugriff für das ganze Unternehmen.',
    instead: 'Stattdessen mit Gong anmelden',
  },
  accessKey: {
    title: 'Zugriffsschlüssel',
    description:
      'Ein technischer Gong-Admin erstellt den Schlüssel unter Admin\u00a0center → Settings → Ecosystem → API.',
    instead: 'Stattdessen einen Zugriffsschlüssel verwenden',
    steps: [
      'Öffnen Sie in Gong Admin\u00a0center → Settings und wählen Sie unter Ecosystem den Punkt API.',
      'Wählen Sie Get API key und geben Sie dem Schlüssel einen Namen. Wenn Sie ihn auf IP-Adressen beschränken, fragen Sie den Support, welche Sie erlauben müssen.',
      'Kopieren Sie den Zugriffsschlüssel und sein Secret. Gong zeigt das Secret nur einmal an.',
      'Fügen Sie beide hier ein.',
    ],
    who: 'Ein technischer Gong-Admin, in jedem Tarif.',
    key: {
      hint: 'Wird beim Erstellen des Schlüssels angezeigt',
      missing: 'Fügen Sie den Zugriffsschlüssel ein',
      tooLong: 'Der Zugriffsschlüssel ist zu lang',
      characters: 'Der Zugriffsschlüssel enthält keine Leer- oder Sonderzeichen',
    },
    secret: {
      title: 'Secret des Zugriffsschlüssels',
      hint: 'Wird nur einmal angezeigt, neben dem Zugriffsschlüssel',
      missing: 'Fügen Sie das Secret des Zugriffsschlüssels ein',
      tooLong: 'Das Secret des Zugriffsschlüssels ist zu lang',
      characters: 'Das Secret des Zugriffsschlüssels enthält keine Leer- oder Sonderzeichen',
    },
  },
  workspaces: {
    title: 'Workspaces',
    hint: 'IDs der Workspaces, deren Gespräche synchronisiert werden. Leer lassen, um alle zu synchronisieren. Nutzer gehören zum ganzen Unternehmen.',
    notAList: 'Geben Sie eine Liste von Workspace-IDs ein',
    none: 'Geben Sie mindestens eine Workspace-ID ein',
    tooMany: 'Geben Sie höchstens 2.000 Workspace-IDs ein',
  },
  users: {
    title: 'Nutzer',
    access: 'Namen, E-Mail-Adressen und Vorgesetzte der Personen in Ihrem Unternehmen.',
  },
  calls: {
    title: 'Gespräche',
    access: 'Titel, Zeiten und Verantwortliche aufgezeichneter Gespräche.',
  },
  callDetails: {
    title: 'Gesprächsdetails',
    access: 'Teilnehmende, Themen, Tracker und Kommentare jedes Gesprächs.',
  },
  callTranscripts: {
    title: 'Gesprächstranskripte',
    access: 'Was in jedem Gespräch gesagt wurde, nach Sprecher.',
  },
} satisfies Translation<typeof en>;
