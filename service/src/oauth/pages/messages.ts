/** The languages of the pages; the first is that of a person whose language is not among them. */
export const languages = ['en', 'de', 'fr', 'es', 'pt', 'ja', 'zh', 'ar'] as const;
export type Language = (typeof languages)[number];

/** What the pages can have to say. `{vendor}`, `{integrator}` and `{site}` are filled in. */
export interface Messages {
  readonly askTitle: string;
  readonly ask: string;
  /** Where no site is known. */
  readonly askAnywhere: string;
  readonly askWarning: string;
  readonly goOn: string;
  readonly completedTitle: string;
  readonly completed: string;
  readonly deniedTitle: string;
  readonly denied: string;
  readonly failedTitle: string;
  readonly failed: string;
  readonly expiredTitle: string;
  readonly expired: string;
  readonly usedTitle: string;
  readonly used: string;
  readonly unknownTitle: string;
  readonly unknown: string;
  readonly elsewhereTitle: string;
  readonly elsewhere: string;
  readonly close: string;
  readonly back: string;
}

/**
 * The language of a page: the first that the browser prefers and the pages have.
 * @param header `Accept-Language`; anything malformed in it counts as absent.
 */
export function chooseLanguage(header: string | undefined): Language {
  const wanted = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part, position) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map(text => /^\s*q=([01](?:\.\d{1,3})?)\s*$/.exec(text)?.[1]).find(Boolean);
      return { tag: tag.split('-')[0] ?? '', quality: Number(quality ?? 1), position };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality || one.position - other.position);
  for (const { tag } of wanted) {
    const found = languages.find(language => language === tag);
    if (found !== undefined) return found;
  }
  return languages[0];
}

/** Which way a language is written. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}

/** The words of each language. */
export const messages: Readonly<Record<Language, Messages>> = {
  en: {
    askTitle: 'Connect {vendor}?',
    ask: '{integrator} ({site}) asks for access to your data in {vendor}.',
    askAnywhere: '{integrator} asks for access to your data in {vendor}.',
    askWarning: 'Go on only if you started this yourself. If somebody sent you a link, close this window.',
    goOn: 'Go on to {vendor}',
    completedTitle: 'Access allowed',
    completed: '{integrator} is connecting {vendor} now.',
    deniedTitle: 'Not connected',
    denied: 'Access to {vendor} was not allowed. Nothing was stored.',
    failedTitle: 'That did not work',
    failed: '{vendor} could not be connected. Nothing was stored; you can try again.',
    expiredTitle: 'This took too long',
    expired: 'The request to connect {vendor} is no longer valid. Please start again.',
    usedTitle: 'Already answered',
    used: 'This request to connect {vendor} was answered before.',
    unknownTitle: 'This link leads nowhere',
    unknown: 'It is not complete, or not valid any more. Please start again.',
    elsewhereTitle: 'Started somewhere else',
    elsewhere: 'This request was not started in this browser, so nothing was connected. Please start again.',
    close: 'You can close this window.',
    back: 'Back to {site}',
  },
  de: {
    askTitle: '{vendor} verbinden?',
    ask: '{integrator} ({site}) möchte auf deine Daten bei {vendor} zugreifen.',
    askAnywhere: '{integrator} möchte auf deine Daten bei {vendor} zugreifen.',
    askWarning:
      'Mach nur weiter, wenn du das selbst begonnen hast. Hat dir jemand einen Link geschickt, schließe dieses Fenster.',
    goOn: 'Weiter zu {vendor}',
    completedTitle: 'Zugriff erlaubt',
    completed: '{integrator} verbindet jetzt {vendor}.',
    deniedTitle: 'Nicht verbunden',
    denied: 'Der Zugriff auf {vendor} wurde nicht erlaubt. Es wurde nichts gespeichert.',
    failedTitle: 'Das hat nicht geklappt',
    failed:
      '{vendor} konnte nicht verbunden werden. Es wurde nichts gespeichert; du kannst es noch einmal versuchen.',
    expiredTitle: 'Das hat zu lange gedauert',
    expired: 'Die Anfrage, {vendor} zu verbinden, gilt nicht mehr. Bitte beginne von vorn.',
    usedTitle: 'Schon beantwortet',
    used: 'Diese Anfrage, {vendor} zu verbinden, wurde bereits beantwortet.',
    unknownTitle: 'Dieser Link führt nirgendwohin',
    unknown: 'Er ist unvollständig oder gilt nicht mehr. Bitte beginne von vorn.',
    elsewhereTitle: 'Woanders begonnen',
    elsewhere:
      'Diese Anfrage wurde nicht in diesem Browser begonnen, deshalb wurde nichts verbunden. Bitte beginne von vorn.',
    close: 'Du kannst dieses Fenster schließen.',
    back: 'Zurück zu {site}',
  },
  fr: {
    askTitle: 'Connecter {vendor} ?',
    ask: '{integrator} ({site}) demande l’accès à vos données dans {vendor}.',
    askAnywhere: '{integrator} demande l’accès à vos données dans {vendor}.',
    askWarning:
      'Ne continuez que si vous êtes à l’origine de cette demande. Si quelqu’un vous a envoyé un lien, fermez cette fenêtre.',
    goOn: 'Continuer vers {vendor}',
    completedTitle: 'Accès autorisé',
    completed: '{integrator} connecte maintenant {vendor}.',
    deniedTitle: 'Non connecté',
    denied: 'L’accès à {vendor} n’a pas été autorisé. Rien n’a été enregistré.',
    failedTitle: 'Cela n’a pas fonctionné',
    failed: '{vendor} n’a pas pu être connecté. Rien n’a été enregistré ; vous pouvez réessayer.',
    expiredTitle: 'Délai dépassé',
    expired: 'La demande de connexion à {vendor} n’est plus valable. Veuillez recommencer.',
    usedTitle: 'Déjà traitée',
    used: 'Cette demande de connexion à {vendor} a déjà reçu une réponse.',
    unknownTitle: 'Ce lien ne mène nulle part',
    unknown: 'Il est incomplet ou n’est plus valable. Veuillez recommencer.',
    elsewhereTitle: 'Commencée ailleurs',
    elsewhere:
      'Cette demande n’a pas été commencée dans ce navigateur ; rien n’a donc été connecté. Veuillez recommencer.',
    close: 'Vous pouvez fermer cette fenêtre.',
    back: 'Retour à {site}',
  },
  es: {
    askTitle: '¿Conectar {vendor}?',
    ask: '{integrator} ({site}) pide acceso a tus datos de {vendor}.',
    askAnywhere: '{integrator} pide acceso a tus datos de {vendor}.',
    askWarning: 'Continúa solo si lo has iniciado tú. Si alguien te envió un enlace, cierra esta ventana.',
    goOn: 'Continuar a {vendor}',
    completedTitle: 'Acceso permitido',
    completed: '{integrator} está conectando {vendor}.',
    deniedTitle: 'No conectado',
    denied: 'No se permitió el acceso a {vendor}. No se ha guardado nada.',
    failedTitle: 'No ha funcionado',
    failed: 'No se pudo conectar {vendor}. No se ha guardado nada; puedes intentarlo de nuevo.',
    expiredTitle: 'Ha tardado demasiado',
    expired: 'La solicitud para conectar {vendor} ya no es válida. Empieza de nuevo.',
    usedTitle: 'Ya respondida',
    used: 'Esta solicitud para conectar {vendor} ya fue respondida.',
    unknownTitle: 'Este enlace no lleva a ninguna parte',
    unknown: 'Está incompleto o ya no es válido. Empieza de nuevo.',
    elsewhereTitle: 'Iniciada en otro lugar',
    elsewhere:
      'Esta solicitud no se inició en este navegador, así que no se ha conectado nada. Empieza de nuevo.',
    close: 'Puedes cerrar esta ventana.',
    back: 'Volver a {site}',
  },
  pt: {
    askTitle: 'Conectar {vendor}?',
    ask: '{integrator} ({site}) pede acesso aos seus dados do {vendor}.',
    askAnywhere: '{integrator} pede acesso aos seus dados do {vendor}.',
    askWarning: 'Continue somente se foi você quem começou. Se alguém enviou um link, feche esta janela.',
    goOn: 'Continuar para {vendor}',
    completedTitle: 'Acesso permitido',
    completed: '{integrator} está conectando {vendor}.',
    deniedTitle: 'Não conectado',
    denied: 'O acesso ao {vendor} não foi permitido. Nada foi salvo.',
    failedTitle: 'Não funcionou',
    failed: 'Não foi possível conectar {vendor}. Nada foi salvo; você pode tentar de novo.',
    expiredTitle: 'Demorou demais',
    expired: 'O pedido para conectar {vendor} não é mais válido. Comece de novo.',
    usedTitle: 'Já respondido',
    used: 'Este pedido para conectar {vendor} já foi respondido.',
    unknownTitle: 'Este link não leva a lugar nenhum',
    unknown: 'Ele está incompleto ou não é mais válido. Comece de novo.',
    elsewhereTitle: 'Iniciado em outro lugar',
    elsewhere: 'Este pedido não começou neste navegador, por isso nada foi conectado. Comece de novo.',
    close: 'Você pode fechar esta janela.',
    back: 'Voltar para {site}',
  },
  ja: {
    askTitle: '{vendor} を接続しますか？',
    ask: '{integrator}（{site}）が {vendor} のデータへのアクセスを求めています。',
    askAnywhere: '{integrator} が {vendor} のデータへのアクセスを求めています。',
    askWarning:
      'ご自身で始めた場合にのみ続けてください。誰かからリンクを受け取った場合は、このウィンドウを閉じてください。',
    goOn: '{vendor} に進む',
    completedTitle: 'アクセスが許可されました',
    completed: '{integrator} が {vendor} を接続しています。',
    deniedTitle: '接続されていません',
    denied: '{vendor} へのアクセスは許可されませんでした。何も保存されていません。',
    failedTitle: 'うまくいきませんでした',
    failed: '{vendor} を接続できませんでした。何も保存されていません。もう一度お試しください。',
    expiredTitle: '時間切れです',
    expired: '{vendor} を接続するリクエストの有効期限が切れました。最初からやり直してください。',
    usedTitle: '回答済みです',
    used: '{vendor} を接続するこのリクエストには、すでに回答がありました。',
    unknownTitle: 'このリンクは無効です',
    unknown: 'リンクが不完全か、有効期限が切れています。最初からやり直してください。',
    elsewhereTitle: '別の場所で開始されました',
    elsewhere:
      'このリクエストはこのブラウザーで開始されたものではないため、接続されませんでした。最初からやり直してください。',
    close: 'このウィンドウを閉じてかまいません。',
    back: '{site} に戻る',
  },
  zh: {
    askTitle: '连接 {vendor}？',
    ask: '{integrator}（{site}）请求访问您在 {vendor} 的数据。',
    askAnywhere: '{integrator} 请求访问您在 {vendor} 的数据。',
    askWarning: '仅当这是您自己发起的操作时才继续。如果是别人发给您的链接，请关闭此窗口。',
    goOn: '前往 {vendor}',
    completedTitle: '已允许访问',
    completed: '{integrator} 正在连接 {vendor}。',
    deniedTitle: '未连接',
    denied: '未允许访问 {vendor}。没有保存任何内容。',
    failedTitle: '操作未成功',
    failed: '无法连接 {vendor}。没有保存任何内容，您可以重试。',
    expiredTitle: '等待时间过长',
    expired: '连接 {vendor} 的请求已失效。请重新开始。',
    usedTitle: '已经处理',
    used: '此连接 {vendor} 的请求此前已处理。',
    unknownTitle: '此链接无效',
    unknown: '链接不完整或已失效。请重新开始。',
    elsewhereTitle: '在其他地方发起',
    elsewhere: '此请求不是在此浏览器中发起的，因此未进行连接。请重新开始。',
    close: '您可以关闭此窗口。',
    back: '返回 {site}',
  },
  ar: {
    askTitle: 'هل تريد ربط {vendor}؟',
    ask: 'يطلب {integrator} ({site}) الوصول إلى بياناتك في {vendor}.',
    askAnywhere: 'يطلب {integrator} الوصول إلى بياناتك في {vendor}.',
    askWarning: 'تابع فقط إذا بدأت هذا بنفسك. إذا أرسل إليك شخص ما رابطًا، فأغلق هذه النافذة.',
    goOn: 'المتابعة إلى {vendor}',
    completedTitle: 'تم السماح بالوصول',
    completed: 'يجري {integrator} الآن ربط {vendor}.',
    deniedTitle: 'لم يتم الربط',
    denied: 'لم يُسمح بالوصول إلى {vendor}. لم يُحفظ أي شيء.',
    failedTitle: 'لم تنجح العملية',
    failed: 'تعذّر ربط {vendor}. لم يُحفظ أي شيء، ويمكنك المحاولة مرة أخرى.',
    expiredTitle: 'استغرق الأمر وقتًا طويلًا',
    expired: 'لم يعد طلب ربط {vendor} صالحًا. يُرجى البدء من جديد.',
    usedTitle: 'تم الرد مسبقًا',
    used: 'سبق الرد على هذا الطلب لربط {vendor}.',
    unknownTitle: 'هذا الرابط غير صالح',
    unknown: 'الرابط غير مكتمل أو لم يعد صالحًا. يُرجى البدء من جديد.',
    elsewhereTitle: 'بدأ في مكان آخر',
    elsewhere: 'لم يبدأ هذا الطلب في هذا المتصفح، لذلك لم يتم ربط أي شيء. يُرجى البدء من جديد.',
    close: 'يمكنك إغلاق هذه النافذة.',
    back: 'العودة إلى {site}',
  },
};
