import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Spanish. */
export const es = {
  description: 'Notas y transcripciones de reuniones',
  category: 'Reuniones',
  reads: ['notas de reuniones', 'asistentes', 'transcripciones'],
  apiKey: {
    title: 'Clave de API',
    description: 'Crea una clave en Granola, en Settings → API. Necesitas un plan Business o Enterprise.',
    instead: 'Usar una clave de API en su lugar',
    steps: [
      'Abre la aplicación de Granola y ve a Settings → API.',
      'Crea una clave. Elige si lee tus propias notas o las del espacio de trabajo.',
      'Copia la clave y pégala aquí.',
    ],
    who: 'Cualquiera con un plan Business o Enterprise. Para todo el espacio de trabajo, un administrador.',
    hint: 'Empieza por grn_',
    missing: 'Pega la clave de API',
    tooLong: 'La clave de API es demasiado larga',
    characters: 'Una clave de API no contiene espacios ni caracteres especiales',
  },
  notes: {
    title: 'Notas de reuniones',
    access: 'Títulos, resúmenes, asistentes y transcripciones de tus reuniones.',
  },
} satisfies Translation<typeof en>;
