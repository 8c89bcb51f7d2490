import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Portuguese. */
export const pt = {
  description: 'Notas e transcrições de reuniões',
  category: 'Reuniões',
  reads: ['notas de reuniões', 'participantes', 'transcrições'],
  apiKey: {
    title: 'Chave de API',
    description:
      'Crie uma chave no Granola, em Settings → API. É necessário um plano Business ou Enterprise.',
    instead: 'Usar uma chave de API em vez disso',
    steps: [
      'Abra o aplicativo do Granola e acesse Settings → API.',
      'Crie uma chave. Escolha se ela lê as suas próprias notas ou as do espaço de trabalho.',
      'Copie a chave e cole-a aqui.',
    ],
    who: 'Qualquer pessoa com um plano Business ou Enterprise. Para todo o espaço de trabalho, um administrador.',
    hint: 'Começa com grn_',
    missing: 'Cole a chave de API',
    tooLong: 'A chave de API é longa demais',
    characters: 'Uma chave de API não contém espaços nem caracteres especiais',
  },
  notes: {
    title: 'Notas de reuniões',
    access: 'Títulos, resumos, participantes e transcrições das suas reuniões.',
  },
} satisfies Translation<typeof en>;
