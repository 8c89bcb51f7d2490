import type { Messages } from './messages.ts';

export const es: Messages = {
  failed: {
    title: 'Se ha producido un error',
    text: 'No se ha conectado nada. Inténtalo de nuevo en unos minutos.',
  },
  over: {
    title: 'Este enlace ya no funciona',
    text: 'Ha caducado, se ha cancelado o ya se ha utilizado. Pide uno nuevo.',
  },
  late: {
    title: 'Ha pasado demasiado tiempo',
    text: 'No se ha conectado nada. Inténtalo de nuevo y continúa en un plazo de cinco minutos.',
  },
  signedOut: {
    title: 'Primero inicia sesión',
    text: 'Inicia sesión en tu cuenta en este navegador y vuelve a intentarlo.',
  },
  otherAccount: {
    title: 'Este enlace es para otra cuenta',
    text: 'No se ha conectado nada. Inicia sesión en la cuenta a la que va dirigido el enlace y vuelve a abrirlo, o pide un enlace nuevo.',
  },
  incomplete: {
    title: 'Esta dirección está incompleta',
    text: 'Vuelve a abrir el enlace que recibiste.',
  },
  framed: {
    title: 'Abre este enlace en su propia ventana',
    text: 'Abre el enlace que recibiste en una pestaña nueva de tu navegador.',
  },
  tryAgain: 'Reintentar',
};
