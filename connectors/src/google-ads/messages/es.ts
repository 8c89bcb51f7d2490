import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Spanish. */
export const es = {
  description: 'Publicidad de búsqueda: cuentas, campañas, anuncios y etiquetas',
  category: 'Publicidad',
  reads: ['campañas', 'anuncios', 'rendimiento diario'],
  changes: ['campañas', 'grupos de anuncios', 'etiquetas'],
  consentSays: 'editar',
  signIn: {
    title: 'Iniciar sesión con Google',
    description: 'Elige la cuenta de Google con acceso a tus cuentas de Google Ads.',
    instead: 'Iniciar sesión con Google en su lugar',
  },
  ownClient: {
    title: 'App de inicio de sesión y token de desarrollador',
    description:
      'Usa tu propia app de inicio de sesión de la consola de Google Cloud, un token de actualización con el ámbito https://www.googleapis.com/auth/adwords y un token de desarrollador del Centro de APIs de una cuenta de administrador de Google Ads.',
    instead: 'Usar tu propia app de inicio de sesión en su lugar',
    steps: [
      'En la consola de Google Cloud, abre APIs y servicios → Credenciales, y copia el ID y el secreto de tu app de inicio de sesión («ID de clientes de OAuth 2.0»).',
      'Con esa app, obtén un token de actualización con el ámbito https://www.googleapis.com/auth/adwords.',
      'En tu cuenta de administrador de Google Ads, abre Administrador → Centro de APIs y copia el token de desarrollador.',
      'Pega aquí los cuatro valores.',
    ],
    who: 'Un desarrollador con acceso a tu proyecto de Google Cloud y a una cuenta de administrador de Google Ads.',
    clientId: {
      title: 'ID de cliente',
      hint: 'Consola de Google Cloud → APIs y servicios → Credenciales',
      missing: 'Pega el ID de cliente',
      tooLong: 'El ID de cliente es demasiado largo',
      characters: 'El ID de cliente no contiene espacios ni caracteres especiales',
    },
    clientSecret: {
      title: 'Secreto del cliente',
      hint: 'Se muestra junto al ID de cliente',
      missing: 'Pega el secreto del cliente',
      tooLong: 'El secreto del cliente es demasiado largo',
      characters: 'El secreto del cliente no contiene espacios ni caracteres especiales',
      rejected: 'Google no ha aceptado este ID de cliente con este secreto',
    },
    refreshToken: {
      title: 'Token de actualización',
      hint: 'Se emite para el acceso sin conexión cuando un usuario de Google da su consentimiento',
      missing: 'Pega el token de actualización',
      tooLong: 'El token de actualización es demasiado largo',
      characters: 'El token de actualización no contiene espacios ni caracteres especiales',
      rejected:
        'Google ya no acepta este token de actualización. Se ha revocado, ha caducado o no se ha usado durante 6 meses.',
    },
    developerToken: {
      title: 'Token de desarrollador',
      hint: 'Cuenta de administrador de Google Ads → Administrador → Centro de APIs (22 caracteres)',
      missing: 'Pega el token de desarrollador',
      tooLong: 'El token de desarrollador es demasiado largo',
      characters: 'El token de desarrollador no contiene espacios ni caracteres especiales',
    },
  },
  customerIds: {
    title: 'ID de cliente de Google Ads',
    hint: 'Cuentas de Google Ads que se sincronizan. Déjalo vacío para sincronizar todas las cuentas a las que tienes acceso.',
    digits: 'Un ID de cliente tiene 10 dígitos y no lleva guiones',
    none: 'Escribe al menos un ID de cliente',
    tooMany: 'Escribe como máximo 2000 ID de cliente',
  },
  startDate: {
    title: 'Fecha de inicio',
    hint: 'Primer día de las métricas que se sincronizan. Déjalo vacío para sincronizar los dos últimos años.',
    format: 'Usa el formato AAAA-MM-DD',
  },
  account: {
    manager: 'Administrador',
    client: 'Cliente',
    test: 'Cuenta de prueba',
    isManager: 'Las cuentas de administrador no tienen campañas propias',
    canceled: 'Esta cuenta está cancelada',
    suspended: 'Google ha suspendido esta cuenta',
    closed: 'Esta cuenta está cerrada',
    notEnabled: 'Esta cuenta está cancelada o no se ha terminado de configurar',
    noAccess: 'No tienes acceso a esta cuenta',
  },
  accessibleCustomers: {
    title: 'Cuentas accesibles',
    access: 'Las cuentas que puedes abrir directamente.',
  },
  accounts: {
    title: 'Cuentas',
    access: 'Nombre, moneda, zona horaria y ajustes de cada cuenta.',
  },
  campaigns: {
    title: 'Campañas',
    access: 'Presupuesto, estado y rendimiento diario de cada campaña.',
  },
  adGroups: {
    title: 'Grupos de anuncios',
    access: 'Pujas, objetivos y coste diario de cada grupo de anuncios.',
  },
  ads: {
    title: 'Anuncios',
    access: 'Enlaces, calidad y revisión de políticas de cada anuncio.',
  },
  campaignLabels: {
    title: 'Etiquetas de campañas',
    access: 'Las etiquetas de cada campaña.',
  },
  adGroupLabels: {
    title: 'Etiquetas de grupos de anuncios',
    access: 'Las etiquetas de cada grupo de anuncios.',
  },
  adLabels: {
    title: 'Etiquetas de anuncios',
    access: 'Las etiquetas de cada anuncio.',
  },
  labels: {
    title: 'Etiquetas',
    access: 'Etiquetas nuevas para campañas, grupos de anuncios y anuncios.',
  },
} satisfies Translation<typeof en>;
