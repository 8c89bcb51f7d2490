import type { Translation } from '../words.ts';
import type { en } from './en.ts';

/** French. */
export const fr = {
  rejected: '{source} n’a pas accepté cette valeur. Vérifiez qu’elle est complète et toujours valide.',
  rejectedBecause: '{source} n’a pas accepté cette valeur\u00a0: « {reason} »',
  nothingToPaste: '{source} n’a pas d’identifiants à coller. Connectez-vous plutôt avec votre compte.',
  denied: '{source} : l’accès a été refusé',
  interrupted: 'La connexion a été interrompue. Recommencez-la.',
} satisfies Translation<typeof en>;
