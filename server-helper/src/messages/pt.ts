import type { Messages } from './messages.ts';

export const pt: Messages = {
  failed: {
    title: 'Algo deu errado',
    text: 'Nada foi conectado. Tente novamente em alguns minutos.',
  },
  over: {
    title: 'Este link não funciona mais',
    text: 'Ele expirou, foi cancelado ou já foi usado. Peça um novo.',
  },
  late: {
    title: 'Demorou demais',
    text: 'Nada foi conectado. Tente novamente e continue em até cinco minutos.',
  },
  signedOut: {
    title: 'Entre na sua conta primeiro',
    text: 'Entre na sua conta neste navegador e tente novamente.',
  },
  otherAccount: {
    title: 'Este link é para outra conta',
    text: 'Nada foi conectado. Entre na conta à qual o link se destina e abra-o novamente, ou peça um novo link.',
  },
  incomplete: {
    title: 'Este endereço está incompleto',
    text: 'Abra novamente o link que você recebeu.',
  },
  framed: {
    title: 'Abra este link em uma janela própria',
    text: 'Abra o link que você recebeu em uma nova aba do navegador.',
  },
  tryAgain: 'Tentar novamente',
};
