import type { Translation } from '../words.ts';
import type { en } from './en.ts';

/** Portuguese. */
export const pt = {
  rejected: '{source} não aceitou este valor. Confira se ele está completo e ainda é válido.',
  rejectedBecause: '{source} não aceitou este valor: “{reason}”',
  nothingToPaste: '{source} não tem credenciais para colar. Em vez disso, entre na sua conta.',
  denied: '{source}: o acesso foi negado',
  interrupted: 'O login foi interrompido. Comece de novo.',
} satisfies Translation<typeof en>;
