import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** French. */
export const fr = {
  description: 'Campagnes, annonces, audiences, créations et rapports quotidiens',
  category: 'Publicité',
  reads: ['campagnes', 'annonces', 'audiences', 'rapports quotidiens'],
  signIn: {
    title: 'Se connecter avec TikTok',
    description: 'Choisissez les comptes publicitaires à partager dans TikTok for Business.',
    instead: 'Se connecter plutôt avec TikTok',
  },
  accessToken: {
    title: 'Jeton d’accès',
    description:
      'Un jeton d’accès à long terme de votre application TikTok API for Business. TikTok l’émet lorsqu’un annonceur autorise l’application.',
    instead: 'Utiliser plutôt un jeton d’accès',
    steps: [
      'Dans TikTok API for Business, ouvrez My Apps et choisissez votre application.',
      'Ouvrez le lien d’autorisation de l’application, connectez-vous et choisissez les comptes publicitaires à partager.',
      'TikTok redirige vers votre application avec un code d’autorisation. Échangez-le contre un jeton d’accès.',
      'Collez le jeton d’accès ici. Il reste valable jusqu’à sa révocation par vous ou par l’application.',
    ],
    who: 'Un développeur d’une application TikTok API for Business.',
    hint: 'TikTok le renvoie une seule fois, en échange du code d’autorisation',
    missing: 'Collez le jeton d’accès',
    tooLong: 'Le jeton d’accès est trop long',
    characters: 'Un jeton d’accès ne contient ni espaces ni caractères spéciaux',
    appId: {
      title: 'ID de l’application',
      hint: 'L’ID de l’application du jeton, avec lequel TikTok liste vos comptes publicitaires',
      digits: 'Un ID d’application ne contient que des chiffres',
    },
    secret: {
      title: 'Secret de l’application',
      hint: 'Affiché avec l’ID de l’application sous My Apps',
      both: 'Saisissez l’ID et le secret de l’application, ou aucun des deux',
      invalid: 'Collez le secret de l’application tel que TikTok l’affiche',
      rejected: 'TikTok n’a pas accepté cet ID et ce secret d’application pour le jeton d’accès',
    },
  },
  advertiserIds: {
    title: 'Annonceurs',
    hint: 'ID des comptes publicitaires TikTok à synchroniser. Un jeton d’accès en a besoin, sauf si vous saisissez l’ID et le secret de son application. Après une connexion, laissez vide pour synchroniser tous les comptes partagés.',
    unknown:
      'Saisissez les ID des comptes publicitaires à synchroniser, ou l’ID et le secret de l’application du jeton d’accès. Sans eux, TikTok ne liste pas vos comptes publicitaires.',
    notAList: 'Saisissez une liste d’ID d’annonceurs',
    digits: 'Un ID d’annonceur ne contient que des chiffres',
    none: 'Saisissez au moins un ID d’annonceur',
    tooMany: 'Saisissez au plus 2\u202f000 ID d’annonceurs',
  },
  startDate: {
    title: 'Date de début',
    hint: 'Premier jour des rapports à synchroniser. Laissez vide pour commencer à la création de chaque compte publicitaire.',
    format: 'Utilisez le format AAAA-MM-JJ',
  },
  account: {
    limited: 'TikTok limite ses publicités. Les données restent synchronisées',
    inReview: 'TikTok l’examine encore. Les données restent synchronisées',
    reviewFailed: 'Échec de l’examen',
    disabled: 'TikTok a désactivé ce compte publicitaire',
    noAccess: 'Vous n’avez pas accès à ce compte publicitaire',
  },
  advertisers: {
    title: 'Comptes publicitaires',
    access: 'Nom, état, devise et solde de chaque compte publicitaire.',
  },
  campaigns: {
    title: 'Campagnes',
    access: 'Objectif, budget et état de chaque campagne.',
  },
  adGroups: {
    title: 'Groupes d’annonces',
    access: 'Audience, emplacement, calendrier et enchère de chaque groupe d’annonces.',
  },
  ads: {
    title: 'Annonces',
    access: 'Création, texte et page de destination de chaque annonce.',
  },
  audiences: {
    title: 'Audiences',
    access: 'Audiences personnalisées et similaires, sans les personnes qui les composent.',
  },
  images: {
    title: 'Images',
    access: 'Images de votre bibliothèque de créations.',
  },
  videos: {
    title: 'Vidéos',
    access: 'Vidéos de votre bibliothèque de créations.',
  },
  advertiserReports: {
    title: 'Rapports quotidiens des comptes',
    access: 'Dépenses, impressions et clics de chaque compte publicitaire, par jour.',
  },
  campaignReports: {
    title: 'Rapports quotidiens des campagnes',
    access: 'Dépenses, impressions et clics de chaque campagne, par jour.',
  },
  adGroupReports: {
    title: 'Rapports quotidiens des groupes d’annonces',
    access: 'Dépenses, impressions et conversions de chaque groupe d’annonces, par jour.',
  },
  adReports: {
    title: 'Rapports quotidiens des annonces',
    access: 'Dépenses, impressions et conversions de chaque annonce, par jour.',
  },
} satisfies Translation<typeof en>;
