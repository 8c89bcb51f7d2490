import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** French. */
export const fr = {
  description: 'Notes de réunion et transcriptions',
  category: 'Réunions',
  reads: ['notes de réunion', 'participants', 'transcriptions'],
  apiKey: {
    title: 'Clé API',
    description:
      'Créez une clé dans Granola, sous Settings → API. Un forfait Business ou Enterprise est nécessaire.',
    instead: 'Utiliser plutôt une clé API',
    steps: [
      'Ouvrez l’application Granola et accédez à Settings → API.',
      'Créez une clé. Choisissez si elle lit vos propres notes ou celles de l’espace de travail.',
      'Copiez la clé et collez-la ici.',
    ],
    who: 'Toute personne avec un forfait Business ou Enterprise. Pour tout l’espace de travail, un administrateur.',
    hint: 'Commence par grn_',
    missing: 'Collez la clé API',
    tooLong: 'La clé API est trop longue',
    characters: 'Une clé API ne contient ni espaces ni caractères spéciaux',
  },
  notes: {
    title: 'Notes de réunion',
    access: 'Titres, résumés, participants et transcriptions de vos réunions.',
  },
} satisfies Translation<typeof en>;
