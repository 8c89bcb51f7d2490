import type { Messages } from './messages.ts';

export const fr: Messages = {
  confirmTitle: 'Connecter {vendor} ?',
  confirm: '{integrator} ({site}) souhaite accéder à vos données {vendor}.',
  confirmAnywhere: '{integrator} souhaite accéder à vos données {vendor}.',
  forCustomer: 'Pour {customer}',
  confirmWarning:
    'Ne continuez que si vous êtes à l’origine de cette demande. Si quelqu’un vous a envoyé un lien, fermez cette fenêtre.',
  continue: 'Continuer vers {vendor}',
  leavingTitle: 'Redirection vers {vendor}',
  completedTitle: 'Accès autorisé',
  completed: '{integrator} se connecte à {vendor}.',
  deniedTitle: 'Non connecté',
  denied: 'Vous n’avez pas autorisé l’accès à {vendor}. Rien n’a été enregistré.',
  failedTitle: 'Impossible de connecter {vendor}',
  failed: 'Rien n’a été enregistré. Veuillez réessayer.',
  expiredTitle: 'Le délai de connexion a expiré',
  expired:
    'Votre demande de connexion à {vendor} a expiré. Rien n’a été enregistré. Recommencez quand vous le souhaitez.',
  usedTitle: 'Ce lien a déjà été utilisé',
  used: 'Chaque lien de connexion à {vendor} ne fonctionne qu’une seule fois. Recommencez pour en obtenir un nouveau.',
  unknownTitle: 'Ce lien n’est pas valide ou a expiré',
  unknown: 'Recommencez pour obtenir un nouveau lien.',
  elsewhereTitle: 'Demande commencée dans un autre navigateur',
  elsewhere: 'Par mesure de sécurité, rien n’a été connecté. Recommencez dans ce navigateur.',
  close: 'Vous pouvez fermer cette fenêtre.',
  back: 'Retour à {site}',
};
