import type { Messages } from './messages.ts';

// Small integers need no formatting, and the first call of `toLocaleString` takes milliseconds.
const number = (value: number): string =>
  value % 1 || value > 999 ? value.toLocaleString('fr', { maximumFractionDigits: 20 }) : String(value);
/** Zero and one are singular. */
const isOne = (count: number): boolean => new Intl.PluralRules('fr').select(count) === 'one';
const characters = (count: number): string => `${number(count)} caractère${isOne(count) ? '' : 's'}`;

/** French. */
export const messages: Messages = {
  language: 'fr',
  direction: 'ltr',

  catalogTitle: 'Connecter une source',
  catalogLead: 'Choisissez où se trouvent vos données.',
  searchLabel: 'Rechercher une source',
  clearSearch: 'Effacer la recherche',
  connectedHeading: 'Vos connexions',
  availableHeading: 'Sources disponibles',
  otherSources: 'Autres sources',
  beta: 'Bêta',
  addAnother: 'En ajouter une',
  loadingSources: 'Chargement des sources',
  sourcesFound: count => `${number(count)} source${isOne(count) ? '' : 's'}`,
  noMatchTitle: query => `Aucune source ne correspond à «\u00a0${query}\u00a0»`,
  noMatchHint: 'Vérifiez l’orthographe ou essayez un mot plus court.',
  request: query => `Demander «\u00a0${query}\u00a0»`,
  requested: query => `Vous avez demandé «\u00a0${query}\u00a0».`,
  emptyTitle: 'Pas encore de source',
  emptyHint: 'Les sources apparaissent ici dès qu’elles sont activées pour vous.',
  emptyHintBy: integrator => `Les sources apparaissent ici dès que ${integrator} les active.`,

  statusActive: 'Connectée',
  statusNeedsReauth: 'Connexion expirée',
  statusPaused: 'En pause',
  statusPartlyFailing: 'Échec partiel',
  statusFailing: 'Échec de la synchronisation',
  statusSyncing: 'Synchronisation en cours',
  statusLimited: 'En pause à la demande du fournisseur',
  manage: 'Gérer',

  back: 'Retour',
  cancel: 'Annuler',
  close: 'Fermer',
  retry: 'Réessayer',
  opening: source => `Ouverture de ${source}`,

  methodTitle: source => `Comment souhaitez-vous connecter ${source}\u00a0?`,
  noMethodTitle: source => `${source} n’est pas encore disponible`,
  noMethodHint: 'Contactez l’assistance pour en savoir plus.',

  formTitle: source => `Connecter ${source}`,
  nameLabel: 'Nom de la connexion',
  nameHint: 'Pour distinguer vos connexions.',
  optional: 'facultatif',
  chooseOption: 'Choisir…',
  show: label => `Afficher ${label}`,
  hide: label => `Masquer ${label}`,
  helpLink: 'Où trouver cette information\u00a0?',
  opensInNewTab: 's’ouvre dans un nouvel onglet',
  connect: 'Connecter',
  connecting: 'Connexion…',
  checking: source => `Vérification de vos informations auprès de ${source}`,
  trust: 'Vos informations sont chiffrées et ne sont plus jamais affichées.',
  trustSignIn: source => `Vous vous connectez chez ${source}. Nous ne voyons jamais votre mot de passe.`,
  trustBy: integrator => `Données chiffrées. ${integrator} n’affichera plus jamais votre clé.`,
  trustSignInBy: (source, integrator) =>
    `Vous vous connectez chez ${source}. ${integrator} ne voit jamais votre mot de passe.`,
  issuesFound: count => `${number(count)} champ${isOne(count) ? '' : 's'} à vérifier`,
  notConnected: 'Connexion impossible',

  missing: label => `À renseigner\u00a0: ${label}`,
  pattern: label => `${label}\u00a0: vérifiez la saisie`,
  number: label => `${label}\u00a0: saisissez un nombre`,
  integer: label => `${label}\u00a0: saisissez un nombre entier`,
  tooShort: limit => `Saisissez au moins ${characters(limit)}`,
  tooLong: limit => `Saisissez au plus ${characters(limit)}`,
  tooSmall: limit => `Saisissez ${number(limit)} ou plus`,
  tooLarge: limit => `Saisissez ${number(limit)} ou moins`,

  advanced: 'Paramètres avancés',

  waitingTitle: source => `Continuez dans la fenêtre ${source}`,
  waitingHint: 'Connectez-vous et autorisez l’accès. Cette page se met à jour automatiquement ensuite.',
  reopen: source => `Rouvrir la fenêtre ${source}`,
  blockedTitle: source => `Ouvrez ${source} pour continuer`,
  blockedHint: 'Votre navigateur a bloqué la fenêtre contextuelle.',
  leavingTitle: source => `Redirection vers ${source}`,
  leavingHint: 'Vous reviendrez ici ensuite.',
  openVendor: source => `Ouvrir ${source}`,
  deniedTitle: 'Vous n’avez pas autorisé l’accès. Rien n’a été enregistré.',
  expiredTitle: 'Le délai de connexion est dépassé',
  expiredHint: 'Recommencez quand vous voulez.',

  replaceTitle: source => `Ce compte ${source} est différent du précédent`,
  replaceHint: 'Changer de compte supprime les données importées du compte précédent.',
  replace: 'Changer de compte',

  connectedTitle: name => `${name}\u00a0: connexion réussie`,
  connectedHint: 'Nous importons vos données. Vous pouvez quitter cette page.',
  done: 'Terminé',

  connectedSince: date => `Connexion établie le ${date}`,
  activeHint: 'Cette connexion fonctionne.',
  needsReauthHint: source =>
    `Votre connexion à ${source} a expiré. Reconnectez la source pour reprendre la synchronisation.`,
  pausedHint: 'Cette connexion est en pause. Contactez l’assistance pour la reprendre.',
  pausedHintBy: integrator => `Mise en pause par ${integrator}. Contactez son assistance pour la reprendre.`,
  rename: 'Renommer',
  save: 'Enregistrer',
  reconnect: 'Reconnecter',
  syncBuilding: 'Importation en cours',
  syncPreview: 'Les données récentes sont disponibles. Le reste est en cours d’importation…',
  syncReady: 'À jour',
  records: count => `${number(count)} enregistrement${isOne(count) ? '' : 's'}`,
  disconnect: 'Déconnecter',
  disconnectTitle: name => `Déconnecter ${name}\u00a0?`,
  disconnectHint:
    'Vos identifiants enregistrés et toutes les données importées seront supprimés. Cette action est irréversible.',
  disconnecting: 'Déconnexion…',
  disconnected: name => `${name}\u00a0: déconnexion effectuée`,

  unreachableTitle: 'Le service est injoignable',
  unreachableHint: 'Vérifiez votre connexion à Internet et réessayez.',
  busyTitle: 'Trop de requêtes',
  busyHint: 'Réessayez dans une minute.',
  sessionTitle: 'Votre session a expiré',
  sessionHint: 'Reconnectez-vous, puis revenez sur cette page.',
  vendorTitle: source => `${source} ne répond pas`,
  vendorHint: 'Les informations saisies sont peut-être correctes. Réessayez dans quelques minutes.',
  forbiddenTitle: 'Vous n’y avez pas accès',
  forbiddenHint: 'Contactez l’assistance si vous avez besoin d’un accès.',
  frozenHint: 'Nous avons suspendu les modifications des connexions. Réessayez plus tard.',
  limitTitle: 'Vous avez atteint la limite',
  limitHint: 'Déconnectez une source que vous n’utilisez plus, puis réessayez.',
  brokenTitle: 'Une erreur s’est produite',
  brokenHint: 'Réessayez dans un instant.',
  setupTitle: 'Cette fonctionnalité n’est pas encore configurée',
  setupHint: 'Contactez l’assistance.',
  contactSupport: integrator =>
    integrator ? `Contacter l’assistance de ${integrator}` : 'Contacter l’assistance',
  reference: id => `Référence\u00a0: ${id}`,
};
