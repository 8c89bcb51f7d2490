import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** German. */
export const de = {
  description: 'Suchanzeigen: Konten, Kampagnen, Anzeigen, Labels',
  category: 'Werbung',
  reads: ['Kampagnen', 'Anzeigen', 'tägliche Leistungsdaten'],
  changes: ['Kampagnen', 'Anzeigengruppen', 'Labels'],
  consentSays: 'bearbeiten',
  signIn: {
    title: 'Mit Google anmelden',
    description: 'Wählen Sie das Google-Konto, das auf Ihre Google-Ads-Konten zugreifen kann.',
    instead: 'Stattdessen mit Google anmelden',
  },
  ownClient: {
    title: 'Anmelde-App und Entwickler-Token',
    description:
      'Verwenden Sie Ihre eigene Anmelde-App aus der Google Cloud Console, ein Aktualisierungstoken mit dem Bereich https://www.googleapis.com/auth/adwords und ein Entwickler-Token aus dem API-Center eines Google-Ads-Verwaltungskontos.',
    instead: 'Stattdessen die eigene Anmelde-App verwenden',
    steps: [
      'Öffnen Sie in der Google Cloud Console „APIs & Dienste“ → „Anmeldedaten“ und kopieren Sie die Client-ID und den Clientschlüssel Ihrer Anmelde-App („OAuth-2.0-Client-IDs“).',
      'Rufen Sie mit dieser App ein Aktualisierungstoken mit dem Bereich https://www.googleapis.com/auth/adwords ab.',
      'Öffnen Sie in Ihrem Google-Ads-Verwaltungskonto „Verwaltung“ → „API-Center“ und kopieren Sie das Entwickler-Token.',
      'Fügen Sie alle vier Werte hier ein.',
    ],
    who: 'Ein Entwickler mit Zugriff auf Ihr Google-Cloud-Projekt und auf ein Google-Ads-Verwaltungskonto.',
    clientId: {
      title: 'Client-ID',
      hint: 'Google Cloud Console → „APIs & Dienste“ → „Anmeldedaten“',
      missing: 'Fügen Sie die Client-ID ein',
      tooLong: 'Die Client-ID ist zu lang',
      characters: 'Die Client-ID enthält keine Leer- oder Sonderzeichen',
    },
    clientSecret: {
      title: 'Clientschlüssel',
      hint: 'Steht neben der Client-ID',
      missing: 'Fügen Sie den Clientschlüssel ein',
      tooLong: 'Der Clientschlüssel ist zu lang',
      characters: 'Der Clientschlüssel enthält keine Leer- oder Sonderzeichen',
      rejected: 'Google hat diese Client-ID mit diesem Clientschlüssel nicht akzeptiert',
    },
    refreshToken: {
      title: 'Aktualisierungstoken',
      hint: 'Wird für den Offlinezugriff ausgestellt, wenn ein Google-Nutzer zustimmt',
      missing: 'Fügen Sie das Aktualisierungstoken ein',
      tooLong: 'Das Aktualisierungstoken ist zu lang',
      characters: 'Das Aktualisierungstoken enthält keine Leer- oder Sonderzeichen',
      rejected:
        'Google akzeptiert dieses Aktualisierungstoken nicht mehr. Es wurde widerrufen, ist abgelaufen oder wurde 6 Monate lang nicht verwendet.',
    },
    developerToken: {
      title: 'Entwickler-Token',
      hint: 'Google-Ads-Verwaltungskonto → „Verwaltung“ → „API-Center“ (22 Zeichen)',
      missing: 'Fügen Sie das Entwickler-Token ein',
      tooLong: 'Das Entwickler-Token ist zu lang',
      characters: 'Das Entwickler-Token enthält keine Leer- oder Sonderzeichen',
    },
  },
  customerIds: {
    title: 'Kundennummern',
    hint: 'Google-Ads-Konten, die synchronisiert werden. Leer lassen, um alle Konten zu synchronisieren, auf die Sie zugreifen können.',
    digits: 'Eine Kundennummer hat 10 Ziffern und keine Bindestriche',
    none: 'Geben Sie mindestens eine Kundennummer ein',
    tooMany: 'Geben Sie höchstens 2.000 Kundennummern ein',
  },
  startDate: {
    title: 'Startdatum',
    hint: 'Erster Tag der Messwerte, die synchronisiert werden. Leer lassen, um vor zwei Jahren zu beginnen.',
    format: 'Verwenden Sie das Format JJJJ-MM-TT',
  },
  account: {
    manager: 'Verwaltungskonto',
    client: 'Kundenkonto',
    test: 'Testkonto',
    isManager: 'Verwaltungskonten haben keine eigenen Kampagnen',
    canceled: 'Dieses Konto ist gekündigt',
    suspended: 'Google hat dieses Konto gesperrt',
    closed: 'Dieses Konto ist geschlossen',
    notEnabled: 'Dieses Konto ist gekündigt oder nicht vollständig eingerichtet',
    noAccess: 'Sie haben keinen Zugriff auf dieses Konto',
  },
  accessibleCustomers: {
    title: 'Zugängliche Konten',
    access: 'Die Konten, die Sie direkt öffnen können.',
  },
  accounts: {
    title: 'Konten',
    access: 'Name, Währung, Zeitzone und Einstellungen jedes Kontos.',
  },
  campaigns: {
    title: 'Kampagnen',
    access: 'Budget, Status und tägliche Leistung jeder Kampagne.',
  },
  adGroups: {
    title: 'Anzeigengruppen',
    access: 'Gebote, Ziele und tägliche Kosten jeder Anzeigengruppe.',
  },
  ads: {
    title: 'Anzeigen',
    access: 'Links, Anzeigeneffektivität und Richtlinienprüfung jeder Anzeige.',
  },
  campaignLabels: {
    title: 'Kampagnenlabels',
    access: 'Die Labels jeder Kampagne.',
  },
  adGroupLabels: {
    title: 'Anzeigengruppenlabels',
    access: 'Die Labels jeder Anzeigengruppe.',
  },
  adLabels: {
    title: 'Anzeigenlabels',
    access: 'Die Labels jeder Anzeige.',
  },
  labels: {
    title: 'Labels',
    access: 'Neue Labels für Kampagnen, Anzeigengruppen und Anzeigen.',
  },
} satisfies Translation<typeof en>;
