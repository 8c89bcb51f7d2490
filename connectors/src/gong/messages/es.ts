import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Spanish. */
export const es = {
  description: 'Llamadas de ventas: participantes, grabaciones, temas y transcripciones',
  category: 'Llamadas de ventas',
  reads: ['llamadas', 'participantes', 'transcripciones', 'usuarios'],
  signIn: {
    title: 'Iniciar sesión con Gong',
    description: 'Un administrador técnico de Gong inicia sesión y permite el acceso para toda la empresa.',
    instead: 'Iniciar sesión con Gong en su lugar',
  },
  accessKey: {
    title: 'Clave de acceso',
    description:
      'Un administrador técnico de Gong crea la clave en Admin\u00a0center → Settings → Ecosystem → API.',
    instead: 'Usar una clave de acceso en su lugar',
    steps: [
      'En Gong, abre Admin\u00a0center → Settings y selecciona API en Ecosystem.',
      'Selecciona Get API key y ponle un nombre a la clave. Si la limitas a ciertas direcciones IP, pregunta al equipo de soporte cuáles permitir.',
      'Copia la clave de acceso y su secreto. Gong solo muestra el secreto una vez.',
      'Pega ambos aquí.',
    ],
    who: 'Un administrador técnico de Gong, con cualquier plan.',
    key: {
      hint: 'Se muestra al crear la clave',
      missing: 'Pega la clave de acceso',
      tooLong: 'La clave de acceso es demasiado larga',
      characters: 'La clave de acceso no contiene espacios ni caracteres especiales',
    },
    secret: {
      title: 'Secreto de la clave de acceso',
      hint: 'Se muestra una sola vez, junto a la clave de acceso',
      missing: 'Pega el secreto de la clave de acceso',
      tooLong: 'El secreto de la clave de acceso es demasiado largo',
      characters: 'El secreto de la clave de acceso no contiene espacios ni caracteres especiales',
    },
  },
  workspaces: {
    title: 'Espacios de trabajo',
    hint: 'ID de los espacios de trabajo cuyas llamadas se sincronizan. Déjalo vacío para sincronizarlos todos. Los usuarios son los de toda la empresa.',
    notAList: 'Escribe una lista de ID de espacios de trabajo',
    none: 'Escribe al menos un ID de espacio de trabajo',
    tooMany: 'Escribe como máximo 2000 ID de espacios de trabajo',
  },
  users: {
    title: 'Usuarios',
    access: 'Nombres, direcciones de correo y responsables de las personas de tu empresa.',
  },
  calls: {
    title: 'Llamadas',
    access: 'Títulos, horas y propietarios de las llamadas grabadas.',
  },
  callDetails: {
    title: 'Detalles de las llamadas',
    access: 'Participantes, temas, trackers y comentarios de cada llamada.',
  },
  callTranscripts: {
    title: 'Transcripciones de las llamadas',
    access: 'Lo que se dijo en cada llamada y quién lo dijo.',
  },
} satisfies Translation<typeof en>;
