import type { Messages } from './messages.ts';

export const fr: Messages = {
  opening: 'Ouverture de votre lien',
  needsTitle: 'Cette page nécessite JavaScript et les cookies',
  needs: 'Activez-les dans les réglages de votre navigateur, puis ouvrez de nouveau le lien.',
  incompleteTitle: 'Ce lien est incomplet',
  incomplete: 'Ouvrez de nouveau le lien que vous avez reçu. Si vous l’avez copié, copiez-le en entier.',
  unknownTitle: 'Ce lien n’est pas valide',
  unknown:
    'Vérifiez que vous l’avez copié en entier, ou demandez-en un nouveau à la personne qui vous l’a envoyé.',
  expiredTitle: 'Ce lien a expiré',
  expired: 'Rien n’a été connecté. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
  revokedTitle: 'Ce lien a été annulé',
  revoked:
    'Rien n’a été connecté. Si vous en avez encore besoin, demandez-en un nouveau à la personne qui vous l’a envoyé.',
  usedTitle: 'Ce lien a déjà été utilisé',
  used: 'Chaque lien ne fonctionne qu’une seule fois. Pour connecter autre chose, demandez-en un nouveau à la personne qui vous l’a envoyé.',
  elsewhereTitle: 'Demande commencée dans un autre navigateur',
  elsewhere:
    'Par mesure de sécurité, rien n’a été connecté. Ouvrez le lien que vous avez reçu dans ce navigateur, puis réessayez.',
  takenTitle: 'Ce lien est ouvert dans un autre navigateur',
  taken:
    'Continuez dans celui-ci. Si ce n’était pas vous, prévenez la personne qui vous l’a envoyé et demandez-en un nouveau.',
  unavailableTitle: 'Ce lien ne peut pas être utilisé pour le moment',
  unavailable:
    '{integrator} ne peut pas vérifier votre identité. Réessayez plus tard ou contactez l’assistance de {integrator}.',
  busyTitle: 'Trop de demandes',
  busy: 'Réessayez dans une minute.',
  failedTitle: 'Une erreur s’est produite',
  failed: 'Vérifiez votre connexion à Internet, puis réessayez.',
  retry: 'Réessayer',
  createTitle: 'Connecter {vendor}',
  createAsked: '{integrator} vous demande de connecter votre compte {vendor}.',
  createInvited:
    '{inviter} vous invite à connecter votre compte {vendor}, afin que {customer} puisse utiliser ses données dans {integrator}.',
  createAnyTitle: 'Connecter une source de données',
  createAnyAsked: '{integrator} vous demande de connecter l’une de vos sources de données.',
  createAnyInvited:
    '{inviter} vous invite à connecter une source de données, afin que {customer} puisse utiliser ses données dans {integrator}.',
  reconnectTitle: 'Reconnecter {vendor}',
  reconnectAsked: '{integrator} vous demande de vous connecter de nouveau à {vendor}.',
  reconnectInvited:
    '{inviter} vous invite à vous connecter de nouveau à {vendor}, afin que {customer} puisse utiliser ses données dans {integrator}.',
  reads: '{integrator} lit : {read}.',
  neverChanges: '{integrator} ne modifie jamais vos données.',
  canChange: '{integrator} peut modifier : {changed}.',
  unnamedData: 'données',
  check: '{site} vérifie d’abord que vous êtes connecté à votre compte. Vous reviendrez ensuite ici.',
  continueTo: 'Continuer vers {site}',
  guestWarning:
    'Ne continuez que si vous attendiez cette invitation de {inviter}. En cas de doute, fermez cette page et posez-lui la question.',
  continue: 'Continuer',
  limit: 'Ce lien ne fonctionne qu’une seule fois et expire {when}.',
  leaving: 'Redirection vers {site}',
  unnamedCustomer: 'son équipe',
  forCustomer: 'Pour {customer}',
  done: '{vendor} est connecté',
  doneAny: 'Votre source est connectée',
  close: 'Vous pouvez fermer cette page.',
};
