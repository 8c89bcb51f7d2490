import type { Messages } from './messages.ts';

export const fr: Messages = {
  failed: {
    title: 'Une erreur s’est produite',
    text: 'Rien n’a été connecté. Réessayez dans quelques minutes.',
  },
  over: {
    title: 'Ce lien ne fonctionne plus',
    text: 'Il a expiré, a été annulé ou a déjà été utilisé. Demandez-en un nouveau.',
  },
  late: {
    title: 'Le délai est dépassé',
    text: 'Rien n’a été connecté. Réessayez et continuez dans les cinq minutes.',
  },
  signedOut: {
    title: 'Connectez-vous d’abord',
    text: 'Connectez-vous à votre compte dans ce navigateur, puis réessayez.',
  },
  otherAccount: {
    title: 'Ce lien est destiné à un autre compte',
    text: 'Rien n’a été connecté. Connectez-vous au compte auquel le lien est destiné et ouvrez-le de nouveau, ou demandez un nouveau lien.',
  },
  incomplete: {
    title: 'Cette adresse est incomplète',
    text: 'Ouvrez de nouveau le lien que vous avez reçu.',
  },
  framed: {
    title: 'Ouvrez ce lien dans sa propre fenêtre',
    text: 'Ouvrez le lien que vous avez reçu dans un nouvel onglet de votre navigateur.',
  },
  tryAgain: 'Réessayer',
};
