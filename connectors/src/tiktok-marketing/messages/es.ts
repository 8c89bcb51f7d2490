import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Spanish. */
export const es = {
  description: 'Campañas, anuncios, audiencias, creatividades e informes diarios',
  category: 'Publicidad',
  reads: ['campañas', 'anuncios', 'audiencias', 'informes diarios'],
  signIn: {
    title: 'Iniciar sesión con TikTok',
    description: 'Elige en TikTok for Business las cuentas publicitarias que quieres compartir.',
    instead: 'Iniciar sesión con TikTok en su lugar',
  },
  accessToken: {
    title: 'Token de acceso',
    description:
      'Un token de acceso de larga duración de tu aplicación de TikTok API for Business. TikTok lo emite cuando un anunciante autoriza la aplicación.',
    instead: 'Usar un token de acceso en su lugar',
    steps: [
      'En TikTok API for Business, abre My Apps y elige tu aplicación.',
      'Abre el enlace de autorización de la aplicación, inicia sesión y elige las cuentas publicitarias que quieres compartir.',
      'TikTok redirige a tu aplicación con un código de autorización. Canjéalo por un token de acceso.',
      'Pega aquí el token de acceso. Es válido hasta que lo revoques tú o lo revoque la aplicación.',
    ],
    who: 'Un desarrollador de una aplicación de TikTok API for Business.',
    hint: 'TikTok lo devuelve una sola vez, a cambio del código de autorización',
    missing: 'Pega el token de acceso',
    tooLong: 'El token de acceso es demasiado largo',
    characters: 'Un token de acceso no contiene espacios ni caracteres especiales',
    appId: {
      title: 'ID de la aplicación',
      hint: 'El ID de la aplicación del token, con el que TikTok enumera tus cuentas publicitarias',
      digits: 'Un ID de aplicación solo contiene dígitos',
    },
    secret: {
      title: 'Secreto de la aplicación',
      hint: 'Aparece junto al ID de la aplicación en My Apps',
      both: 'Introduce el ID y el secreto de la aplicación, o ninguno de los dos',
      invalid: 'Pega el secreto de la aplicación tal como lo muestra TikTok',
      rejected: 'TikTok no ha aceptado este ID y este secreto de aplicación para el token de acceso',
    },
  },
  advertiserIds: {
    title: 'Anunciantes',
    hint: 'ID de las cuentas publicitarias de TikTok que se sincronizan. Un token de acceso los necesita, salvo que introduzcas el ID y el secreto de su aplicación. Tras iniciar sesión, déjalo vacío para sincronizar todas las cuentas que has compartido.',
    unknown:
      'Escribe los ID de las cuentas publicitarias que quieres sincronizar, o el ID y el secreto de la aplicación del token de acceso. Sin ellos, TikTok no enumera tus cuentas publicitarias.',
    notAList: 'Escribe una lista de ID de anunciante',
    digits: 'Un ID de anunciante solo contiene dígitos',
    none: 'Escribe al menos un ID de anunciante',
    tooMany: 'Escribe como máximo 2000 ID de anunciante',
  },
  startDate: {
    title: 'Fecha de inicio',
    hint: 'Primer día de los informes que se sincronizan. Déjalo vacío para empezar en la fecha de creación de cada cuenta publicitaria.',
    format: 'Usa el formato AAAA-MM-DD',
  },
  account: {
    limited: 'TikTok limita sus anuncios. Los datos se sincronizan',
    inReview: 'TikTok la está revisando. Los datos se sincronizan',
    reviewFailed: 'Revisión no superada',
    disabled: 'TikTok ha desactivado esta cuenta publicitaria',
    noAccess: 'No tienes acceso a esta cuenta publicitaria',
  },
  advertisers: {
    title: 'Cuentas publicitarias',
    access: 'Nombre, estado, moneda y saldo de cada cuenta publicitaria.',
  },
  campaigns: {
    title: 'Campañas',
    access: 'Objetivo, presupuesto y estado de cada campaña.',
  },
  adGroups: {
    title: 'Grupos de anuncios',
    access: 'Audiencia, ubicación, programación y puja de cada grupo de anuncios.',
  },
  ads: {
    title: 'Anuncios',
    access: 'Creatividad, texto y página de destino de cada anuncio.',
  },
  audiences: {
    title: 'Audiencias',
    access: 'Audiencias personalizadas y similares, sin las personas que las forman.',
  },
  images: {
    title: 'Imágenes',
    access: 'Imágenes de tu biblioteca de creatividades.',
  },
  videos: {
    title: 'Vídeos',
    access: 'Vídeos de tu biblioteca de creatividades.',
  },
  advertiserReports: {
    title: 'Informes diarios de cuentas',
    access: 'Gasto, impresiones y clics de cada cuenta publicitaria, por día.',
  },
  campaignReports: {
    title: 'Informes diarios de campañas',
    access: 'Gasto, impresiones y clics de cada campaña, por día.',
  },
  adGroupReports: {
    title: 'Informes diarios de grupos de anuncios',
    access: 'Gasto, impresiones y conversiones de cada grupo de anuncios, por día.',
  },
  adReports: {
    title: 'Informes diarios de anuncios',
    access: 'Gasto, impresiones y conversiones de cada anuncio, por día.',
  },
} satisfies Translation<typeof en>;
