import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Portuguese. */
export const pt = {
  description: 'Publicidade de pesquisa: contas, campanhas, anúncios e rótulos',
  category: 'Publicidade',
  reads: ['campanhas', 'anúncios', 'desempenho diário'],
  changes: ['campanhas', 'grupos de anúncios', 'rótulos'],
  consentSays: 'editar',
  signIn: {
    title: 'Entrar com o Google',
    description: 'Escolha a conta do Google que tem acesso às suas contas do Google Ads.',
    instead: 'Entrar com o Google em vez disso',
  },
  ownClient: {
    title: 'App de login e token de desenvolvedor',
    description:
      'Use o seu próprio app de login do console do Google Cloud, um token de atualização com o escopo https://www.googleapis.com/auth/adwords e um token de desenvolvedor da Central de API de uma conta de administrador do Google Ads.',
    instead: 'Usar o seu próprio app de login em vez disso',
    steps: [
      'No console do Google Cloud, abra APIs e serviços → Credenciais e copie o ID e a chave secreta do seu app de login (“IDs do cliente OAuth 2.0”).',
      'Com esse app, obtenha um token de atualização com o escopo https://www.googleapis.com/auth/adwords.',
      'Na sua conta de administrador do Google Ads, abra Administrador → Central de API e copie o token de desenvolvedor.',
      'Cole os quatro valores aqui.',
    ],
    who: 'Um desenvolvedor com acesso ao seu projeto do Google Cloud e a uma conta de administrador do Google Ads.',
    clientId: {
      title: 'ID do cliente',
      hint: 'Console do Google Cloud → APIs e serviços → Credenciais',
      missing: 'Cole o ID do cliente',
      tooLong: 'O ID do cliente é longo demais',
      characters: 'O ID do cliente não contém espaços nem caracteres especiais',
    },
    clientSecret: {
      title: 'Chave secreta do cliente',
      hint: 'Exibida ao lado do ID do cliente',
      missing: 'Cole a chave secreta do cliente',
      tooLong: 'A chave secreta do cliente é longa demais',
      characters: 'A chave secreta do cliente não contém espaços nem caracteres especiais',
      rejected: 'O Google não aceitou este ID do cliente com esta chave secreta',
    },
    refreshToken: {
      title: 'Token de atualização',
      hint: 'Emitido para acesso off-line quando um usuário do Google dá o consentimento',
      missing: 'Cole o token de atualização',
      tooLong: 'O token de atualização é longo demais',
      characters: 'O token de atualização não contém espaços nem caracteres especiais',
      rejected:
        'O Google não aceita mais este token de atualização. Ele foi revogado, expirou ou ficou 6 meses sem uso.',
    },
    developerToken: {
      title: 'Token de desenvolvedor',
      hint: 'Conta de administrador do Google Ads → Administrador → Central de API (22 caracteres)',
      missing: 'Cole o token de desenvolvedor',
      tooLong: 'O token de desenvolvedor é longo demais',
      characters: 'O token de desenvolvedor não contém espaços nem caracteres especiais',
    },
  },
  customerIds: {
    title: 'IDs de cliente do Google Ads',
    hint: 'Contas do Google Ads a sincronizar. Deixe em branco para sincronizar todas as contas a que você tem acesso.',
    digits: 'Um ID de cliente tem 10 dígitos, sem hifens',
    none: 'Digite pelo menos um ID de cliente',
    tooMany: 'Digite no máximo 2.000 IDs de cliente',
  },
  startDate: {
    title: 'Data de início',
    hint: 'Primeiro dia das métricas a sincronizar. Deixe em branco para sincronizar os últimos dois anos.',
    format: 'Use o formato AAAA-MM-DD',
  },
  account: {
    manager: 'Administrador',
    client: 'Cliente',
    test: 'Conta de teste',
    isManager: 'Contas de administrador não têm campanhas próprias',
    canceled: 'Esta conta foi cancelada',
    suspended: 'O Google suspendeu esta conta',
    closed: 'Esta conta foi encerrada',
    notEnabled: 'Esta conta foi cancelada ou não está totalmente configurada',
    noAccess: 'Você não tem acesso a esta conta',
  },
  accessibleCustomers: {
    title: 'Contas acessíveis',
    access: 'As contas que você pode abrir diretamente.',
  },
  accounts: {
    title: 'Contas',
    access: 'Nome, moeda, fuso horário e configurações de cada conta.',
  },
  campaigns: {
    title: 'Campanhas',
    access: 'Orçamento, status e desempenho diário de cada campanha.',
  },
  adGroups: {
    title: 'Grupos de anúncios',
    access: 'Lances, metas e custo diário de cada grupo de anúncios.',
  },
  ads: {
    title: 'Anúncios',
    access: 'Links, qualidade e análise de políticas de cada anúncio.',
  },
  campaignLabels: {
    title: 'Rótulos de campanhas',
    access: 'Os rótulos de cada campanha.',
  },
  adGroupLabels: {
    title: 'Rótulos de grupos de anúncios',
    access: 'Os rótulos de cada grupo de anúncios.',
  },
  adLabels: {
    title: 'Rótulos de anúncios',
    access: 'Os rótulos de cada anúncio.',
  },
  labels: {
    title: 'Rótulos',
    access: 'Novos rótulos para campanhas, grupos de anúncios e anúncios.',
  },
} satisfies Translation<typeof en>;
