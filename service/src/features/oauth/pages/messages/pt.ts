import type { Messages } from './messages.ts';

export const pt: Messages = {
  confirmTitle: 'Conectar {vendor}?',
  confirm: '{integrator} ({site}) quer acessar seus dados do {vendor}.',
  confirmAnywhere: '{integrator} quer acessar seus dados do {vendor}.',
  forCustomer: 'Para {customer}',
  confirmWarning:
    'Continue somente se você iniciou este processo. Se alguém enviou um link para você, feche esta janela.',
  continue: 'Continuar para {vendor}',
  leavingTitle: 'Levando você para {vendor}',
  completedTitle: 'Acesso permitido',
  completed: '{integrator} está se conectando ao {vendor}.',
  deniedTitle: 'Não conectado',
  denied: 'Você não permitiu o acesso ao {vendor}. Nada foi salvo.',
  failedTitle: 'Não foi possível conectar {vendor}',
  failed: 'Nada foi salvo. Tente de novo.',
  expiredTitle: 'Tempo de login esgotado',
  expired: 'Seu pedido para conectar {vendor} expirou. Nada foi salvo. Comece de novo quando quiser.',
  usedTitle: 'Este link já foi usado',
  used: 'Cada link para conectar {vendor} funciona uma única vez. Comece de novo para receber outro.',
  unknownTitle: 'Este link é inválido ou expirou',
  unknown: 'Comece de novo para receber um novo link.',
  elsewhereTitle: 'Iniciado em outro navegador',
  elsewhere: 'Para sua segurança, nada foi conectado. Comece de novo neste navegador.',
  close: 'Você pode fechar esta janela.',
  back: 'Voltar para {site}',
};
