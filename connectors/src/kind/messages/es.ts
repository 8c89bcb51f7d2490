import type { Translation } from '../words.ts';
import type { en } from './en.ts';

/** Spanish. */
export const es = {
  rejected: '{source} no ha aceptado este valor. Comprueba que esté completo y siga siendo válido.',
  rejectedBecause: '{source} no ha aceptado este valor: «{reason}»',
  nothingToPaste: '{source} no tiene credenciales que pegar. Inicia sesión con tu cuenta.',
  denied: '{source}: se denegó el acceso',
  interrupted: 'El inicio de sesión se interrumpió. Vuelve a empezar.',
} satisfies Translation<typeof en>;
