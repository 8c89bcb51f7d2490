import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** French. */
export const fr = {
  description: 'Appels commerciaux\u00a0: participants, enregistrements, sujets, transcriptions',
  category: 'Appels commerciaux',
  reads: ['appels', 'participants', 'transcriptions', 'utilisateurs'],
  signIn: {
    title: 'Se connecter avec Gong',
    description: 'Un administrateur technique Gong se connecte et autorise l’accès pour toute l’entreprise.',
    instead: 'Se connecter plutôt avec Gong',
  },
  accessKey: {
    title: 'Clé d’accès',
    description:
      'Un administrateur technique Gong crée la clé sous Admin\u00a0center → Settings → Ecosystem → API.',
    instead: 'Utiliser plutôt une clé d’accès',
    steps: [
      'Dans Gong, ouvrez Admin\u00a0center → Settings, puis sélectionnez API sous Ecosystem.',
      'Sélectionnez Get API key et donnez un nom à la clé. Si vous la limitez à certaines adresses IP, demandez au support lesquelles autoriser.',
      'Copiez la clé d’accès et son secret. Gong n’affiche le secret qu’une seule fois.',
      'Collez les deux ici.',
    ],
    who: 'Un administrateur technique Gong, quel que soit le forfait.',
    key: {
      hint: 'Affichée lors de la création de la clé',
      missing: 'Collez la clé d’accès',
      tooLong: 'La clé d’accès est trop longue',
      characters: 'La clé d’accès ne contient ni espaces ni caractères spéciaux',
    },
    secret: {
      title: 'Secret de la clé d’accès',
      hint: 'Affiché une seule fois, à côté de la clé d’accès',
      missing: 'Collez le secret de la clé d’accès',
      tooLong: 'Le secret de la clé d’accès est trop long',
      characters: 'Le secret de la clé d’accès ne contient ni espaces ni caractères spéciaux',
    },
  },
  workspaces: {
    title: 'Espaces de travail',
    hint: 'ID des espaces de travail dont les appels sont synchronisés. Laissez vide pour les synchroniser tous. Les utilisateurs sont ceux de toute l’entreprise.',
    notAList: 'Saisissez une liste d’ID d’espaces de travail',
    none: 'Saisissez au moins un ID d’espace de travail',
    tooMany: 'Saisissez au plus 2\u202f000 ID d’espaces de travail',
  },
  users: {
    title: 'Utilisateurs',
    access: 'Noms, adresses e-mail et responsables des personnes de votre entreprise.',
  },
  calls: {
    title: 'Appels',
    access: 'Titres, horaires et responsables des appels enregistrés.',
  },
  callDetails: {
    title: 'Détails des appels',
    access: 'Participants, sujets, trackers et commentaires de chaque appel.',
  },
  callTranscripts: {
    title: 'Transcriptions des appels',
    access: 'Ce qui a été dit lors de chaque appel, par intervenant.',
  },
} satisfies Translation<typeof en>;
