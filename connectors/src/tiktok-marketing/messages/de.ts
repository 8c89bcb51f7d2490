import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** German. */
export const de = {
  description: 'Kampagnen, Anzeigen, Zielgruppen, Werbemittel und tägliche Berichte',
  category: 'Werbung',
  reads: ['Kampagnen', 'Anzeigen', 'Zielgruppen', 'tägliche Berichte'],
  signIn: {
    title: 'Mit TikTok anmelden',
    description: 'Wählen Sie in TikTok for Business die Werbekonten, die Sie freigeben.',
    instead: 'Stattdessen mit TikTok anmelden',
  },
  accessToken: {
    title: 'Zugriffstoken',
    description:
      'Ein langfristiges Zugriffstoken Ihrer App für „TikTok API for Business“. TikTok stellt es aus, wenn ein Werbetreibender die App autorisiert.',
    instead: 'Stattdessen ein Zugriffstoken verwenden',
    steps: [
      'Öffnen Sie in „TikTok API for Business“ den Bereich „My Apps“ und wählen Sie Ihre App.',
      'Öffnen Sie den Autorisierungslink der App, melden Sie sich an und wählen Sie die Werbekonten, die Sie freigeben.',
      'TikTok leitet mit einem Autorisierungscode zu Ihrer App weiter. Tauschen Sie ihn gegen ein Zugriffstoken ein.',
      'Fügen Sie das Zugriffstoken hier ein. Es gilt, bis Sie oder die App es widerrufen.',
    ],
    who: 'Ein Entwickler einer App für „TikTok API for Business“.',
    hint: 'TikTok gibt es einmal zurück, im Tausch gegen den Autorisierungscode',
    missing: 'Fügen Sie das Zugriffstoken ein',
    tooLong: 'Das Zugriffstoken ist zu lang',
    characters: 'Ein Zugriffstoken enthält keine Leer- oder Sonderzeichen',
    appId: {
      title: 'App-ID',
      hint: 'Die ID der App des Tokens, mit der TikTok Ihre Werbekonten auflistet',
      digits: 'Eine App-ID besteht nur aus Ziffern',
    },
    secret: {
      title: 'App-Secret',
      hint: 'Steht mit der App-ID unter „My Apps“',
      both: 'Geben Sie die App-ID und das App-Secret ein, oder keines von beiden',
      invalid: 'Fügen Sie das App-Secret so ein, wie TikTok es anzeigt',
      rejected: 'TikTok akzeptiert diese App-ID und dieses Secret nicht für das Zugriffstoken',
    },
  },
  advertiserIds: {
    title: 'Werbetreibende',
    hint: 'IDs der TikTok-Werbekonten, die synchronisiert werden. Ein Zugriffstoken braucht sie, außer Sie geben App-ID und App-Secret ein. Nach einer Anmeldung leer lassen, um alle freigegebenen Konten zu synchronisieren.',
    unknown:
      'Geben Sie die IDs der Werbekonten ein, die synchronisiert werden, oder App-ID und App-Secret des Zugriffstokens. Ohne sie listet TikTok Ihre Werbekonten nicht auf.',
    notAList: 'Geben Sie eine Liste von Werbekonto-IDs ein',
    digits: 'Eine Werbekonto-ID besteht nur aus Ziffern',
    none: 'Geben Sie mindestens eine Werbekonto-ID ein',
    tooMany: 'Geben Sie höchstens 2.000 Werbekonto-IDs ein',
  },
  startDate: {
    title: 'Startdatum',
    hint: 'Erster Tag der Berichte, die synchronisiert werden. Leer lassen, um mit der Erstellung jedes Werbekontos zu beginnen.',
    format: 'Verwenden Sie das Format JJJJ-MM-TT',
  },
  account: {
    limited: 'TikTok schränkt die Werbung ein. Daten werden synchronisiert',
    inReview: 'TikTok prüft das Konto noch. Daten werden synchronisiert',
    reviewFailed: 'Prüfung nicht bestanden',
    disabled: 'TikTok hat dieses Werbekonto deaktiviert',
    noAccess: 'Sie haben keinen Zugriff auf dieses Werbekonto',
  },
  advertisers: {
    title: 'Werbekonten',
    access: 'Name, Status, Währung und Guthaben jedes Werbekontos.',
  },
  campaigns: {
    title: 'Kampagnen',
    access: 'Ziel, Budget und Status jeder Kampagne.',
  },
  adGroups: {
    title: 'Anzeigengruppen',
    access: 'Zielgruppe, Platzierung, Zeitplan und Gebot jeder Anzeigengruppe.',
  },
  ads: {
    title: 'Anzeigen',
    access: 'Werbemittel, Text und Landingpage jeder Anzeige.',
  },
  audiences: {
    title: 'Zielgruppen',
    access: 'Eigene und ähnliche Zielgruppen, ohne die Personen darin.',
  },
  images: {
    title: 'Bilder',
    access: 'Bilder in Ihrer Werbemittelbibliothek.',
  },
  videos: {
    title: 'Videos',
    access: 'Videos in Ihrer Werbemittelbibliothek.',
  },
  advertiserReports: {
    title: 'Tägliche Kontoberichte',
    access: 'Ausgaben, Impressionen und Klicks jedes Werbekontos, pro Tag.',
  },
  campaignReports: {
    title: 'Tägliche Kampagnenberichte',
    access: 'Ausgaben, Impressionen und Klicks jeder Kampagne, pro Tag.',
  },
  adGroupReports: {
    title: 'Tägliche Anzeigengruppenberichte',
    access: 'Ausgaben, Impressionen und Conversions jeder Anzeigengruppe, pro Tag.',
  },
  adReports: {
    title: 'Tägliche Anzeigenberichte',
    access: 'Ausgaben, Impressionen und Conversions jeder Anzeige, pro Tag.',
  },
} satisfies Translation<typeof en>;
