import type { Messages } from './messages.ts';

export const es: Messages = {
  confirmTitle: '¿Conectar {vendor}?',
  confirm: '{integrator} ({site}) quiere acceder a tus datos de {vendor}.',
  confirmAnywhere: '{integrator} quiere acceder a tus datos de {vendor}.',
  forCustomer: 'Para {customer}',
  confirmWarning:
    'Continúa solo si has iniciado tú este proceso. Si alguien te ha enviado un enlace, cierra esta ventana.',
  continue: 'Continuar a {vendor}',
  leavingTitle: 'Te llevamos a {vendor}',
  completedTitle: 'Acceso permitido',
  completed: '{integrator} se está conectando a {vendor}.',
  deniedTitle: 'No conectado',
  denied: 'No has permitido el acceso a {vendor}. No se ha guardado nada.',
  failedTitle: 'No se ha podido conectar {vendor}',
  failed: 'No se ha guardado nada. Inténtalo de nuevo.',
  expiredTitle: 'Se agotó el tiempo para iniciar sesión',
  expired:
    'Tu solicitud para conectar {vendor} ha caducado. No se ha guardado nada. Vuelve a empezar cuando quieras.',
  usedTitle: 'Este enlace ya se ha utilizado',
  used: 'Cada enlace para conectar {vendor} funciona una sola vez. Vuelve a empezar para obtener uno nuevo.',
  unknownTitle: 'Este enlace no es válido o ha caducado',
  unknown: 'Vuelve a empezar para obtener un enlace nuevo.',
  elsewhereTitle: 'Iniciado en otro navegador',
  elsewhere: 'Por tu seguridad, no se ha conectado nada. Vuelve a empezar en este navegador.',
  close: 'Puedes cerrar esta ventana.',
  back: 'Volver a {site}',
};
