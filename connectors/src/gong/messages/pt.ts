import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Portuguese. */
export const pt = {
  description: 'Chamadas de vendas: participantes, gravações, tópicos e transcrições',
  category: 'Chamadas de vendas',
  reads: ['chamadas', 'participantes', 'transcrições', 'usuários'],
  signIn: {
    title: 'Entrar com o Gong',
    description: 'Um administrador técnico do Gong entra na conta e permite o acesso para a empresa inteira.',
    instead: 'Entrar com o Gong em vez disso',
  },
  accessKey: {
    title: 'Chave de acesso',
    description:
      'Um administrador técnico do Gong cria a chave em Admin\u00a0center → Settings → Ecosystem → API.',
    instead: 'Usar uma chave de acesso em vez disso',
    steps: [
      'No Gong, abra Admin\u00a0center → Settings e selecione API em Ecosystem.',
      'Selecione Get API key e dê um nome à chave. Se você a limitar a endereços IP, pergunte ao suporte quais permitir.',
      'Copie a chave de acesso e o segredo dela. O Gong mostra o segredo só uma vez.',
      'Cole os dois aqui.',
    ],
    who: 'Um administrador técnico do Gong, em qualquer plano.',
    key: {
      hint: 'Exibida quando a chave é criada',
      missing: 'Cole a chave de acesso',
      tooLong: 'A chave de acesso é longa demais',
      characters: 'A chave de acesso não contém espaços nem caracteres especiais',
    },
    secret: {
      title: 'Segredo da chave de acesso',
      hint: 'Exibido só uma vez, ao lado da chave de acesso',
      missing: 'Cole o segredo da chave de acesso',
      tooLong: 'O segredo da chave de acesso é longo demais',
      characters: 'O segredo da chave de acesso não contém espaços nem caracteres especiais',
    },
  },
  workspaces: {
    title: 'Espaços de trabalho',
    hint: 'IDs dos espaços de trabalho cujas chamadas são sincronizadas. Deixe em branco para sincronizar todos. Os usuários são os da empresa inteira.',
    notAList: 'Digite uma lista de IDs de espaços de trabalho',
    none: 'Digite pelo menos um ID de espaço de trabalho',
    tooMany: 'Digite no máximo 2.000 IDs de espaços de trabalho',
  },
  users: {
    title: 'Usuários',
    access: 'Nomes, endereços de e-mail e gestores das pessoas da sua empresa.',
  },
  calls: {
    title: 'Chamadas',
    access: 'Títulos, horários e responsáveis das chamadas gravadas.',
  },
  callDetails: {
    title: 'Detalhes das chamadas',
    access: 'Participantes, tópicos, trackers e comentários de cada chamada.',
  },
  callTranscripts: {
    title: 'Transcrições das chamadas',
    access: 'O que foi dito em cada chamada e por quem.',
  },
} satisfies Translation<typeof en>;
