import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Portuguese. */
export const pt = {
  description: 'Campanhas, anúncios, públicos, criativos e relatórios diários',
  category: 'Publicidade',
  reads: ['campanhas', 'anúncios', 'públicos', 'relatórios diários'],
  signIn: {
    title: 'Entrar com o TikTok',
    description: 'Escolha no TikTok for Business as contas de anúncios que quer compartilhar.',
    instead: 'Entrar com o TikTok em vez disso',
  },
  accessToken: {
    title: 'Token de acesso',
    description:
      'Um token de acesso de longa duração do seu aplicativo da TikTok API for Business. O TikTok o emite quando um anunciante autoriza o aplicativo.',
    instead: 'Usar um token de acesso em vez disso',
    steps: [
      'Na TikTok API for Business, abra My Apps e escolha o seu aplicativo.',
      'Abra o link de autorização do aplicativo, entre na sua conta e escolha as contas de anúncios que quer compartilhar.',
      'O TikTok redireciona para o seu aplicativo com um código de autorização. Troque-o por um token de acesso.',
      'Cole o token de acesso aqui. Ele vale até ser revogado por você ou pelo aplicativo.',
    ],
    who: 'Um desenvolvedor de um aplicativo da TikTok API for Business.',
    hint: 'O TikTok o retorna uma única vez, em troca do código de autorização',
    missing: 'Cole o token de acesso',
    tooLong: 'O token de acesso é longo demais',
    characters: 'Um token de acesso não contém espaços nem caracteres especiais',
    appId: {
      title: 'ID do aplicativo',
      hint: 'O ID do aplicativo do token, com o qual o TikTok lista as suas contas de anúncios',
      digits: 'Um ID de aplicativo contém apenas dígitos',
    },
    secret: {
      title: 'Segredo do aplicativo',
      hint: 'Aparece com o ID do aplicativo em My Apps',
      both: 'Digite o ID e o segredo do aplicativo, ou nenhum dos dois',
      invalid: 'Cole o segredo do aplicativo como o TikTok o mostra',
      rejected: 'O TikTok não aceitou este ID e este segredo de aplicativo para o token de acesso',
    },
  },
  advertiserIds: {
    title: 'Anunciantes',
    hint: 'IDs das contas de anúncios do TikTok a sincronizar. Um token de acesso precisa deles, a menos que você digite o ID e o segredo do aplicativo. Depois de entrar, deixe em branco para sincronizar todas as contas que você compartilhou.',
    unknown:
      'Digite os IDs das contas de anúncios a sincronizar, ou o ID e o segredo do aplicativo do token de acesso. Sem eles, o TikTok não lista as suas contas de anúncios.',
    notAList: 'Digite uma lista de IDs de anunciante',
    digits: 'Um ID de anunciante contém apenas dígitos',
    none: 'Digite pelo menos um ID de anunciante',
    tooMany: 'Digite no máximo 2.000 IDs de anunciante',
  },
  startDate: {
    title: 'Data de início',
    hint: 'Primeiro dia dos relatórios a sincronizar. Deixe em branco para começar na data de criação de cada conta de anúncios.',
    format: 'Use o formato AAAA-MM-DD',
  },
  account: {
    limited: 'O TikTok limita os anúncios. Os dados são sincronizados',
    inReview: 'O TikTok está analisando a conta. Os dados são sincronizados',
    reviewFailed: 'Reprovada na análise',
    disabled: 'O TikTok desativou esta conta de anúncios',
    noAccess: 'Você não tem acesso a esta conta de anúncios',
  },
  advertisers: {
    title: 'Contas de anúncios',
    access: 'Nome, status, moeda e saldo de cada conta de anúncios.',
  },
  campaigns: {
    title: 'Campanhas',
    access: 'Objetivo, orçamento e status de cada campanha.',
  },
  adGroups: {
    title: 'Grupos de anúncios',
    access: 'Público, posicionamento, programação e lance de cada grupo de anúncios.',
  },
  ads: {
    title: 'Anúncios',
    access: 'Criativo, texto e página de destino de cada anúncio.',
  },
  audiences: {
    title: 'Públicos',
    access: 'Públicos personalizados e semelhantes, sem as pessoas que os compõem.',
  },
  images: {
    title: 'Imagens',
    access: 'Imagens da sua biblioteca de criativos.',
  },
  videos: {
    title: 'Vídeos',
    access: 'Vídeos da sua biblioteca de criativos.',
  },
  advertiserReports: {
    title: 'Relatórios diários de contas',
    access: 'Gastos, impressões e cliques de cada conta de anúncios, por dia.',
  },
  campaignReports: {
    title: 'Relatórios diários de campanhas',
    access: 'Gastos, impressões e cliques de cada campanha, por dia.',
  },
  adGroupReports: {
    title: 'Relatórios diários de grupos de anúncios',
    access: 'Gastos, impressões e conversões de cada grupo de anúncios, por dia.',
  },
  adReports: {
    title: 'Relatórios diários de anúncios',
    access: 'Gastos, impressões e conversões de cada anúncio, por dia.',
  },
} satisfies Translation<typeof en>;
