import type { Messages } from './messages.ts';

// Small integers need no formatting, and the first call of `toLocaleString` takes milliseconds.
const number = (value: number): string =>
  value % 1 || value > 999 ? value.toLocaleString('es', { maximumFractionDigits: 20 }) : String(value);
const characters = (count: number): string => (count === 1 ? '1 carácter' : `${number(count)} caracteres`);

/** Spanish. */
export const messages: Messages = {
  language: 'es',
  direction: 'ltr',

  catalogTitle: 'Conectar una fuente',
  catalogLead: 'Elige dónde están tus datos.',
  searchLabel: 'Buscar fuentes',
  clearSearch: 'Borrar la búsqueda',
  connectedHeading: 'Conectadas',
  availableHeading: 'Fuentes disponibles',
  certified: 'Certificada',
  loadingSources: 'Cargando fuentes',
  sourcesFound: count => (count === 1 ? '1 fuente' : `${number(count)} fuentes`),
  noMatchTitle: query => `Ninguna fuente coincide con «${query}»`,
  noMatchHint: 'Revisa la ortografía o prueba con una palabra más corta.',
  emptyTitle: 'Todavía no hay fuentes',
  emptyHint: 'Las fuentes aparecen aquí cuando se activan para ti.',
  emptyHintBy: integrator => `Las fuentes aparecen aquí cuando ${integrator} las activa.`,

  statusActive: 'Conectada',
  statusNeedsReauth: 'Acción necesaria',
  statusPaused: 'En pausa',
  manage: 'Gestionar',

  back: 'Atrás',
  cancel: 'Cancelar',
  close: 'Cerrar',
  retry: 'Reintentar',
  opening: source => `Abriendo ${source}`,

  methodTitle: source => `¿Cómo quieres conectar ${source}?`,
  noMethodTitle: source => `${source} aún no está disponible`,
  noMethodHint: 'Contacta con el equipo de soporte para saber más.',

  formTitle: source => `Conectar ${source}`,
  nameLabel: 'Nombre de la conexión',
  nameHint: 'Te ayuda a distinguir tus conexiones.',
  optional: 'opcional',
  chooseOption: 'Elegir…',
  show: label => `Mostrar ${label}`,
  hide: label => `Ocultar ${label}`,
  helpLink: '¿Dónde encuentro esto?',
  opensInNewTab: 'se abre en una pestaña nueva',
  connect: 'Conectar',
  connecting: 'Conectando…',
  checking: source => `Comprobando tus datos con ${source}`,
  trust: 'Tus datos se cifran y nunca se vuelven a mostrar.',
  trustSignIn: source => `Inicias sesión en ${source}. Nunca vemos tu contraseña.`,
  trustBy: integrator => `Se guarda cifrada. ${integrator} nunca vuelve a mostrar tu clave.`,
  trustSignInBy: (source, integrator) => `Inicias sesión en ${source}. ${integrator} nunca ve tu contraseña.`,
  issuesFound: count => (count === 1 ? 'Revisa 1 campo' : `Revisa ${number(count)} campos`),
  notConnected: 'No se pudo conectar',

  missing: label => `Completa este campo: ${label}`,
  pattern: label => `${label}: revisa el valor`,
  number: label => `${label}: escribe un número`,
  integer: label => `${label}: escribe un número entero`,
  tooShort: limit => `Escribe al menos ${characters(limit)}`,
  tooLong: limit => `Escribe como máximo ${characters(limit)}`,
  tooSmall: limit => `Escribe ${number(limit)} o más`,
  tooLarge: limit => `Escribe ${number(limit)} o menos`,

  advanced: 'Configuración avanzada',

  waitingTitle: source => `Continúa en la ventana de ${source}`,
  waitingHint: 'Inicia sesión y permite el acceso allí. Esta página se actualiza sola cuando termines.',
  reopen: source => `Volver a abrir la ventana de ${source}`,
  blockedTitle: source => `Abre ${source} para continuar`,
  blockedHint: 'Tu navegador bloqueó la ventana emergente.',
  leavingTitle: source => `Te llevamos a ${source}`,
  leavingHint: 'Después volverás aquí.',
  openVendor: source => `Abrir ${source}`,
  deniedTitle: 'No permitiste el acceso. No se guardó nada.',
  expiredTitle: 'Se agotó el tiempo para iniciar sesión',
  expiredHint: 'Vuelve a empezar cuando quieras.',

  replaceTitle: source => `Has iniciado sesión en otra cuenta de ${source}`,
  replaceHint: 'Al cambiar de cuenta se borran los datos importados de la anterior.',
  replace: 'Cambiar de cuenta',

  connectedTitle: name => `${name}: conexión lista`,
  connectedHint: 'Estamos importando tus datos. Puedes salir de esta página.',
  done: 'Listo',

  connectedSince: date => `Conexión creada el ${date}`,
  activeHint: 'Esta conexión funciona.',
  needsReauthHint: source =>
    `Tu acceso a ${source} ha caducado. Vuelve a conectar la fuente para reanudar la sincronización.`,
  pausedHint: 'Esta conexión está en pausa. Contacta con el equipo de soporte para reanudarla.',
  pausedHintBy: integrator =>
    `En pausa por decisión de ${integrator}. Contacta con su equipo de soporte para reanudarla.`,
  rename: 'Cambiar nombre',
  save: 'Guardar',
  reconnect: 'Volver a conectar',
  syncBuilding: 'Importando',
  syncPreview: 'Los datos recientes ya están listos. Importando el resto…',
  syncReady: 'Al día',
  records: count => (count === 1 ? '1 registro' : `${number(count)} registros`),
  disconnect: 'Desconectar',
  disconnectTitle: name => `¿Desconectar ${name}?`,
  disconnectHint:
    'Se borrarán tus credenciales guardadas y todos los datos importados. Esta acción no se puede deshacer.',
  disconnecting: 'Desconectando…',
  disconnected: name => `${name}: conexión eliminada`,

  unreachableTitle: 'No se puede acceder al servicio',
  unreachableHint: 'Comprueba tu conexión a internet e inténtalo de nuevo.',
  busyTitle: 'Demasiadas solicitudes',
  busyHint: 'Inténtalo de nuevo en un minuto.',
  sessionTitle: 'Tu sesión ha caducado',
  sessionHint: 'Vuelve a iniciar sesión y regresa a esta página.',
  vendorTitle: source => `${source} no responde`,
  vendorHint: 'Puede que los datos que introdujiste sean correctos. Inténtalo de nuevo en unos minutos.',
  forbiddenTitle: 'No tienes acceso a esto',
  forbiddenHint: 'Contacta con el equipo de soporte si necesitas acceso.',
  frozenHint: 'Hemos pausado los cambios en las conexiones. Inténtalo más tarde.',
  limitTitle: 'Has alcanzado el límite',
  limitHint: 'Desconecta una fuente que ya no uses e inténtalo de nuevo.',
  brokenTitle: 'Algo ha salido mal',
  brokenHint: 'Inténtalo de nuevo en un momento.',
  setupTitle: 'Esta función aún no está configurada',
  setupHint: 'Contacta con el equipo de soporte.',
  contactSupport: integrator =>
    integrator ? `Contactar con el soporte de ${integrator}` : 'Contactar con el soporte',
  reference: id => `Referencia: ${id}`,
};
