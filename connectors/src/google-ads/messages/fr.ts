import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** French. */
export const fr = {
  description: 'Annonces de recherche\u00a0: comptes, campagnes, annonces, libellés',
  category: 'Publicité',
  reads: ['campagnes', 'annonces', 'performances quotidiennes'],
  changes: ['campagnes', 'groupes d’annonces', 'libellés'],
  consentSays: 'modifier',
  signIn: {
    title: 'Se connecter avec Google',
    description: 'Choisissez le compte Google qui a accès à vos comptes Google Ads.',
    instead: 'Se connecter plutôt avec Google',
  },
  ownClient: {
    title: 'Application de connexion et jeton de développeur',
    description:
      'Utilisez votre propre application de connexion de la console Google Cloud, un jeton d’actualisation avec le champ d’application https://www.googleapis.com/auth/adwords et un jeton de développeur du Centre API d’un compte administrateur Google Ads.',
    instead: 'Utiliser plutôt votre propre application de connexion',
    steps: [
      'Dans la console Google Cloud, ouvrez API et services → Identifiants, puis copiez l’ID et le code secret de votre application de connexion (« ID clients OAuth 2.0 »).',
      'Avec cette application, obtenez un jeton d’actualisation ayant le champ d’application https://www.googleapis.com/auth/adwords.',
      'Dans votre compte administrateur Google Ads, ouvrez Admin → Centre API, puis copiez le jeton de développeur.',
      'Collez les quatre valeurs ici.',
    ],
    who: 'Un développeur qui a accès à votre projet Google Cloud et à un compte administrateur Google Ads.',
    clientId: {
      title: 'ID client',
      hint: 'Console Google Cloud → API et services → Identifiants',
      missing: 'Collez l’ID client',
      tooLong: 'L’ID client est trop long',
      characters: 'L’ID client ne contient ni espaces ni caractères spéciaux',
    },
    clientSecret: {
      title: 'Code secret du client',
      hint: 'Affiché à côté de l’ID client',
      missing: 'Collez le code secret du client',
      tooLong: 'Le code secret du client est trop long',
      characters: 'Le code secret du client ne contient ni espaces ni caractères spéciaux',
      rejected: 'Google n’a pas accepté cet ID client avec ce code secret',
    },
    refreshToken: {
      title: 'Jeton d’actualisation',
      hint: 'Émis pour l’accès hors connexion lorsqu’un utilisateur Google donne son accord',
      missing: 'Collez le jeton d’actualisation',
      tooLong: 'Le jeton d’actualisation est trop long',
      characters: 'Le jeton d’actualisation ne contient ni espaces ni caractères spéciaux',
      rejected:
        'Google n’accepte plus ce jeton d’actualisation. Il a été révoqué, a expiré ou n’a pas été utilisé pendant 6\u00a0mois.',
    },
    developerToken: {
      title: 'Jeton de développeur',
      hint: 'Compte administrateur Google Ads → Admin → Centre API (22\u00a0caractères)',
      missing: 'Collez le jeton de développeur',
      tooLong: 'Le jeton de développeur est trop long',
      characters: 'Le jeton de développeur ne contient ni espaces ni caractères spéciaux',
    },
  },
  customerIds: {
    title: 'Numéros client',
    hint: 'Comptes Google Ads à synchroniser. Laissez vide pour synchroniser tous les comptes auxquels vous avez accès.',
    digits: 'Un numéro client comporte 10\u00a0chiffres, sans tirets',
    none: 'Saisissez au moins un numéro client',
    tooMany: 'Saisissez au plus 2\u202f000 numéros client',
  },
  startDate: {
    title: 'Date de début',
    hint: 'Premier jour des statistiques à synchroniser. Laissez vide pour synchroniser les deux dernières années.',
    format: 'Utilisez le format AAAA-MM-JJ',
  },
  account: {
    manager: 'Compte administrateur',
    client: 'Compte client',
    test: 'Compte de test',
    isManager: 'Les comptes administrateur n’ont pas de campagnes propres',
    canceled: 'Ce compte est résilié',
    suspended: 'Google a suspendu ce compte',
    closed: 'Ce compte est fermé',
    notEnabled: 'Ce compte est résilié ou sa configuration est incomplète',
    noAccess: 'Vous n’avez pas accès à ce compte',
  },
  accessibleCustomers: {
    title: 'Comptes accessibles',
    access: 'Les comptes que vous pouvez ouvrir directement.',
  },
  accounts: {
    title: 'Comptes',
    access: 'Nom, devise, fuseau horaire et paramètres de chaque compte.',
  },
  campaigns: {
    title: 'Campagnes',
    access: 'Budget, état et performances quotidiennes de chaque campagne.',
  },
  adGroups: {
    title: 'Groupes d’annonces',
    access: 'Enchères, cibles et coût quotidien de chaque groupe d’annonces.',
  },
  ads: {
    title: 'Annonces',
    access: 'Liens, efficacité et conformité aux règles de chaque annonce.',
  },
  campaignLabels: {
    title: 'Libellés des campagnes',
    access: 'Les libellés de chaque campagne.',
  },
  adGroupLabels: {
    title: 'Libellés des groupes d’annonces',
    access: 'Les libellés de chaque groupe d’annonces.',
  },
  adLabels: {
    title: 'Libellés des annonces',
    access: 'Les libellés de chaque annonce.',
  },
  labels: {
    title: 'Libellés',
    access: 'Nouveaux libellés pour les campagnes, les groupes d’annonces et les annonces.',
  },
} satisfies Translation<typeof en>;
