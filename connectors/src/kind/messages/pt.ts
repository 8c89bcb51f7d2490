import type { Translation } from '../words.ts';
import type { en } from './en.ts';

/** Portuguese. */
export const pt = {
  rejected: '{source} não aceitou este valor. Confira se ele está completo e ainda é válido.',
  rejectedBecause: '{source} não aceitou este valor: {reason}',
  nothingToPaste: '{source} não tem credenciais para colar. Em vez disso, entre na sua conta.',
} satisfies Translation<typeof en>;
