import type { Messages } from './messages.ts';

// Small integers need no formatting, and the first call of `toLocaleString` takes milliseconds.
const number = (value: number): string =>
  value % 1 || value > 999 ? value.toLocaleString('pt', { maximumFractionDigits: 20 }) : String(value);
/** Zero and one are singular. */
const isOne = (count: number): boolean => new Intl.PluralRules('pt').select(count) === 'one';
const characters = (count: number): string =>
  isOne(count) ? `${number(count)} caractere` : `${number(count)} caracteres`;

/** Portuguese. */
export const messages: Messages = {
  language: 'pt',
  direction: 'ltr',

  catalogTitle: 'Conectar uma fonte',
  catalogLead: 'Escolha onde estão os seus dados.',
  searchLabel: 'Pesquisar fontes',
  clearSearch: 'Limpar pesquisa',
  connectedHeading: 'Suas conexões',
  availableHeading: 'Fontes disponíveis',
  otherSources: 'Outras fontes',
  beta: 'Beta',
  addAnother: 'Adicionar outra',
  loadingSources: 'Carregando fontes',
  sourcesFound: count => `${number(count)} fonte${isOne(count) ? '' : 's'}`,
  noMatchTitle: query => `Nenhuma fonte corresponde a “${query}”`,
  noMatchHint: 'Confira a grafia ou tente uma palavra mais curta.',
  request: query => `Solicitar “${query}”`,
  requested: query => `Você solicitou “${query}”.`,
  emptyTitle: 'Ainda não há fontes',
  emptyHint: 'As fontes aparecem aqui quando são ativadas para você.',
  emptyHintBy: integrator => `As fontes aparecem aqui quando são ativadas por ${integrator}.`,

  statusActive: 'Conectada',
  statusNeedsReauth: 'Acesso expirado',
  statusPaused: 'Em pausa',
  statusPartlyFailing: 'Falha parcial',
  statusFailing: 'Falha na sincronização',
  statusSyncing: 'Sincronizando',
  statusLimited: 'Em pausa pelo provedor',
  manage: 'Gerenciar',

  back: 'Voltar',
  cancel: 'Cancelar',
  close: 'Fechar',
  retry: 'Tentar de novo',
  opening: source => `Abrindo ${source}`,

  methodTitle: source => `Como você quer conectar ${source}?`,
  noMethodTitle: source => `${source} ainda não está disponível`,
  noMethodHint: 'Fale com o suporte para saber mais.',

  formTitle: source => `Conectar ${source}`,
  nameLabel: 'Nome da conexão',
  nameHint: 'Ajuda a distinguir as suas conexões.',
  optional: 'opcional',
  chooseOption: 'Escolher…',
  show: label => `Mostrar ${label}`,
  hide: label => `Ocultar ${label}`,
  helpLink: 'Onde encontro isto?',
  opensInNewTab: 'abre em uma nova aba',
  connect: 'Conectar',
  connecting: 'Conectando…',
  checking: source => `Verificando os seus dados com ${source}`,
  trust: 'Os seus dados são criptografados e nunca mais exibidos.',
  trustSignIn: source => `Você entra na sua conta de ${source}. Nunca vemos a sua senha.`,
  trustBy: integrator => `Criptografada. ${integrator} nunca mais mostra a sua chave.`,
  trustSignInBy: (source, integrator) =>
    `Você entra na sua conta de ${source}. ${integrator} nunca vê a sua senha.`,
  issuesFound: count => `Verifique ${number(count)} campo${isOne(count) ? '' : 's'}`,
  notConnected: 'Não foi possível conectar',

  missing: label => `Preencha o campo: ${label}`,
  pattern: label => `${label}: confira o valor`,
  number: label => `${label}: digite um número`,
  integer: label => `${label}: digite um número inteiro`,
  tooShort: limit => `Digite pelo menos ${characters(limit)}`,
  tooLong: limit => `Digite no máximo ${characters(limit)}`,
  tooSmall: limit => `Digite ${number(limit)} ou mais`,
  tooLarge: limit => `Digite ${number(limit)} ou menos`,

  advanced: 'Configurações avançadas',

  waitingTitle: source => `Continue na janela de ${source}`,
  waitingHint: 'Entre na sua conta e permita o acesso. Esta página é atualizada automaticamente depois.',
  reopen: source => `Reabrir a janela de ${source}`,
  blockedTitle: source => `Abra ${source} para continuar`,
  blockedHint: 'O seu navegador bloqueou o pop-up.',
  leavingTitle: source => `Levando você para ${source}`,
  leavingHint: 'Depois você voltará para cá.',
  openVendor: source => `Abrir ${source}`,
  deniedTitle: 'Você não permitiu o acesso. Nada foi salvo.',
  expiredTitle: 'O tempo para entrar acabou',
  expiredHint: 'Comece de novo quando quiser.',

  replaceTitle: source => `Você entrou em outra conta de ${source}`,
  replaceHint: 'Ao mudar de conta, os dados importados da anterior são apagados.',
  replace: 'Mudar de conta',

  connectedTitle: name => `${name}: conexão concluída`,
  connectedHint: 'Estamos importando os seus dados. Você pode sair desta página.',
  done: 'Concluir',

  connectedSince: date => `Conexão criada em ${date}`,
  activeHint: 'Esta conexão está funcionando.',
  needsReauthHint: source =>
    `O seu acesso a ${source} expirou. Reconecte a fonte para retomar a sincronização.`,
  pausedHint: 'Esta conexão está em pausa. Fale com o suporte para retomá-la.',
  pausedHintBy: integrator =>
    `Em pausa por decisão de ${integrator}. Fale com o suporte de ${integrator} para retomá-la.`,
  rename: 'Renomear',
  save: 'Salvar',
  reconnect: 'Reconectar',
  syncBuilding: 'Importando',
  syncPreview: 'Os dados recentes estão prontos. Importando o restante…',
  syncReady: 'Em dia',
  records: count => `${number(count)} registro${isOne(count) ? '' : 's'}`,
  disconnect: 'Desconectar',
  disconnectTitle: name => `Desconectar ${name}?`,
  disconnectHint:
    'As suas credenciais salvas e todos os dados importados serão apagados. Esta ação não pode ser desfeita.',
  disconnecting: 'Desconectando…',
  disconnected: name => `${name}: conexão removida`,

  unreachableTitle: 'Não foi possível acessar o serviço',
  unreachableHint: 'Verifique a sua conexão com a internet e tente de novo.',
  busyTitle: 'Solicitações demais',
  busyHint: 'Tente de novo em um minuto.',
  sessionTitle: 'A sua sessão expirou',
  sessionHint: 'Entre de novo na sua conta e volte a esta página.',
  vendorTitle: source => `${source} não está respondendo`,
  vendorHint: 'Os dados que você digitou podem estar corretos. Tente de novo em alguns minutos.',
  forbiddenTitle: 'Você não tem acesso a isto',
  forbiddenHint: 'Fale com o suporte se precisar de acesso.',
  frozenHint: 'Pausamos as alterações nas conexões. Tente de novo mais tarde.',
  limitTitle: 'Você atingiu o limite',
  limitHint: 'Desconecte uma fonte que não usa mais e tente de novo.',
  brokenTitle: 'Algo deu errado',
  brokenHint: 'Tente de novo daqui a pouco.',
  setupTitle: 'Este recurso ainda não foi configurado',
  setupHint: 'Fale com o suporte.',
  contactSupport: integrator => (integrator ? `Falar com o suporte de ${integrator}` : 'Falar com o suporte'),
  reference: id => `Referência: ${id}`,
};
