import type { Language } from '@connector-auth/api';

/** Why a page offers nothing to connect. */
export type Obstacle =
  /** The address has no secret, or only a part of it. */
  | 'incomplete'
  | 'unknown'
  | 'expired'
  | 'revoked'
  | 'used'
  /** The browser lacks what the page needs. */
  | 'needs'
  /** The confirmation was requested in another browser. */
  | 'elsewhere'
  /** Another browser confirmed the link for a guest first. */
  | 'taken'
  | 'unavailable'
  | 'busy'
  | 'failed';

/** What a link is for: a new connector of one kind or of any kind, or an existing connector. */
export type Purpose = 'create' | 'createAny' | 'reconnect';

type ObstacleMessages = Readonly<Record<Obstacle | `${Obstacle}Title`, string>>;
/** A page's title, and its request to a customer's own people or to a guest. */
type PurposeMessages = Readonly<Record<`${Purpose}${'Title' | 'Asked' | 'Invited'}`, string>>;

/**
 * The text shown on the pages of connect links. `{vendor}`, `{integrator}`, `{customer}`, `{inviter}`, `{read}` and `{changed}` (data), `{site}` (of the
 * integrator) and `{when}` (such as “in 5 minutes”) are placeholders.
 */
export interface Messages extends ObstacleMessages, PurposeMessages {
  readonly opening: string;
  readonly retry: string;
  /** What the connection reads at a guest's source: `{read}` such as “campaigns and ads”. */
  readonly reads: string;
  readonly neverChanges: string;
  readonly canChange: string;
  /** Replaces `{read}` or `{changed}` if the source does not describe it. */
  readonly unnamedData: string;
  readonly check: string;
  readonly continueTo: string;
  readonly guestWarning: string;
  readonly continue: string;
  readonly limit: string;
  /** Shown while the browser loads the integrator's page. */
  readonly leaving: string;
  /** Replaces `{customer}` if the customer has no display name. */
  readonly unnamedCustomer: string;
  readonly forCustomer: string;
  readonly done: string;
  /** Replaces `done` if the vendor is unknown. */
  readonly doneAny: string;
  readonly close: string;
}

export const messages: Readonly<Record<Language, Messages>> = {
  en: {
    opening: 'Opening your link',
    needsTitle: 'This page needs JavaScript and cookies',
    needs: 'Turn them on in your browser’s settings, then open the link again.',
    incompleteTitle: 'This link is incomplete',
    incomplete: 'Open the link you received again. If you copied it, copy all of it.',
    unknownTitle: 'This link is invalid',
    unknown: 'Check that you copied all of it, or ask the person who sent it for a new one.',
    expiredTitle: 'This link has expired',
    expired: 'Nothing was connected. Ask the person who sent it for a new one.',
    revokedTitle: 'This link was cancelled',
    revoked: 'Nothing was connected. If you still need it, ask the person who sent it for a new one.',
    usedTitle: 'This link was already used',
    used: 'Each link works only once. To connect something else, ask the person who sent it for a new one.',
    elsewhereTitle: 'You started in a different browser',
    elsewhere:
      'For your security, nothing was connected. Open the link you received in this browser, and try again.',
    takenTitle: 'This link is open in another browser',
    taken: 'Continue there. If that wasn’t you, tell the person who sent it, and ask for a new one.',
    unavailableTitle: 'This link can’t be used right now',
    unavailable: '{integrator} can’t check who you are. Try again later, or contact {integrator} support.',
    busyTitle: 'Too many requests',
    busy: 'Try again in a minute.',
    failedTitle: 'Something went wrong',
    failed: 'Check your internet connection, then try again.',
    retry: 'Try again',
    createTitle: 'Connect {vendor}',
    createAsked: '{integrator} asks you to connect your {vendor} account.',
    createInvited:
      '{inviter} invites you to connect your {vendor} account, so that {customer} can use its data in {integrator}.',
    createAnyTitle: 'Connect a data source',
    createAnyAsked: '{integrator} asks you to connect one of your data sources.',
    createAnyInvited:
      '{inviter} invites you to connect a data source, so that {customer} can use its data in {integrator}.',
    reconnectTitle: 'Reconnect {vendor}',
    reconnectAsked: '{integrator} asks you to sign in to {vendor} again.',
    reconnectInvited:
      '{inviter} invites you to sign in to {vendor} again, so that {customer} can use its data in {integrator}.',
    reads: '{integrator} reads your {read}.',
    neverChanges: '{integrator} never changes your data.',
    canChange: '{integrator} can change your {changed}.',
    unnamedData: 'data',
    check: 'First, {site} checks that you’re signed in. Then you’ll come back here.',
    continueTo: 'Continue to {site}',
    guestWarning:
      'Continue only if you expected this from {inviter}. If you’re unsure, close this page and ask them.',
    continue: 'Continue',
    limit: 'This link works once and expires {when}.',
    leaving: 'Taking you to {site}',
    unnamedCustomer: 'their team',
    forCustomer: 'For {customer}',
    done: '{vendor} is connected',
    doneAny: 'Your source is connected',
    close: 'You can close this page.',
  },
  de: {
    opening: 'Ihr Link wird geöffnet',
    needsTitle: 'Diese Seite benötigt JavaScript und Cookies',
    needs: 'Aktivieren Sie beides in den Einstellungen Ihres Browsers und öffnen Sie den Link dann erneut.',
    incompleteTitle: 'Dieser Link ist unvollständig',
    incomplete:
      'Öffnen Sie den Link, den Sie erhalten haben, noch einmal. Falls Sie ihn kopiert haben, kopieren Sie ihn vollständig.',
    unknownTitle: 'Dieser Link ist ungültig',
    unknown:
      'Prüfen Sie, ob Sie ihn vollständig kopiert haben, oder bitten Sie die Person, die ihn gesendet hat, um einen neuen.',
    expiredTitle: 'Dieser Link ist abgelaufen',
    expired: 'Es wurde nichts verbunden. Bitten Sie die Person, die ihn gesendet hat, um einen neuen.',
    revokedTitle: 'Dieser Link wurde zurückgezogen',
    revoked:
      'Es wurde nichts verbunden. Falls Sie ihn noch benötigen, bitten Sie die Person, die ihn gesendet hat, um einen neuen.',
    usedTitle: 'Dieser Link wurde bereits verwendet',
    used: 'Jeder Link funktioniert nur einmal. Um etwas anderes zu verbinden, bitten Sie die Person, die ihn gesendet hat, um einen neuen.',
    elsewhereTitle: 'In einem anderen Browser gestartet',
    elsewhere:
      'Zu Ihrer Sicherheit wurde nichts verbunden. Öffnen Sie den Link, den Sie erhalten haben, in diesem Browser und versuchen Sie es erneut.',
    takenTitle: 'Dieser Link ist in einem anderen Browser geöffnet',
    taken:
      'Fahren Sie dort fort. Falls das nicht Sie waren, informieren Sie die Person, die ihn gesendet hat, und bitten Sie um einen neuen.',
    unavailableTitle: 'Dieser Link kann gerade nicht verwendet werden',
    unavailable:
      '{integrator} kann nicht prüfen, wer Sie sind. Versuchen Sie es später erneut oder wenden Sie sich an den Support von {integrator}.',
    busyTitle: 'Zu viele Anfragen',
    busy: 'Versuchen Sie es in einer Minute erneut.',
    failedTitle: 'Etwas ist schiefgegangen',
    failed: 'Prüfen Sie Ihre Internetverbindung und versuchen Sie es dann erneut.',
    retry: 'Erneut versuchen',
    createTitle: '{vendor} verbinden',
    createAsked: '{integrator} bittet Sie, Ihr Konto bei {vendor} zu verbinden.',
    createInvited:
      '{inviter} lädt Sie ein, Ihr Konto bei {vendor} zu verbinden, damit {customer} dessen Daten in {integrator} nutzen kann.',
    createAnyTitle: 'Eine Datenquelle verbinden',
    createAnyAsked: '{integrator} bittet Sie, eine Ihrer Datenquellen zu verbinden.',
    createAnyInvited:
      '{inviter} lädt Sie ein, eine Datenquelle zu verbinden, damit {customer} deren Daten in {integrator} nutzen kann.',
    reconnectTitle: '{vendor} erneut verbinden',
    reconnectAsked: '{integrator} bittet Sie, sich erneut bei {vendor} anzumelden.',
    reconnectInvited:
      '{inviter} lädt Sie ein, sich erneut bei {vendor} anzumelden, damit {customer} die Daten in {integrator} nutzen kann.',
    reads: '{integrator} liest: {read}.',
    neverChanges: '{integrator} ändert Ihre Daten nie.',
    canChange: '{integrator} kann ändern: {changed}.',
    unnamedData: 'Daten',
    check: 'Zuerst prüft {site}, ob Sie angemeldet sind. Danach kehren Sie hierher zurück.',
    continueTo: 'Weiter zu {site}',
    guestWarning:
      'Fahren Sie nur fort, wenn Sie diese Einladung von {inviter} erwartet haben. Wenn Sie unsicher sind, schließen Sie diese Seite und fragen Sie nach.',
    continue: 'Weiter',
    limit: 'Dieser Link funktioniert nur einmal und läuft {when} ab.',
    leaving: 'Sie werden zu {site} weitergeleitet',
    unnamedCustomer: 'das Team',
    forCustomer: 'Für {customer}',
    done: '{vendor} ist verbunden',
    doneAny: 'Ihre Quelle ist verbunden',
    close: 'Sie können diese Seite schließen.',
  },
  fr: {
    opening: 'Ouverture de votre lien',
    needsTitle: 'Cette page nécessite JavaScript et les cookies',
    needs: 'Activez-les dans les réglages de votre navigateur, puis ouvrez de nouveau le lien.',
    incompleteTitle: 'Ce lien est incomplet',
    incomplete: 'Ouvrez de nouveau le lien que vous avez reçu. Si vous l’avez copié, copiez-le en entier.',
    unknownTitle: 'Ce lien n’est pas valide',
    unknown:
      'Vérifiez que vous l’avez copié en entier, ou demandez-en un nouveau à la personne qui vous l’a envoyé.',
    expiredTitle: 'Ce lien a expiré',
    expired: 'Rien n’a été connecté. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
    revokedTitle: 'Ce lien a été annulé',
    revoked:
      'Rien n’a été connecté. Si vous en avez encore besoin, demandez-en un nouveau à la personne qui vous l’a envoyé.',
    usedTitle: 'Ce lien a déjà été utilisé',
    used: 'Chaque lien ne fonctionne qu’une seule fois. Pour connecter autre chose, demandez-en un nouveau à la personne qui vous l’a envoyé.',
    elsewhereTitle: 'Demande commencée dans un autre navigateur',
    elsewhere:
      'Par mesure de sécurité, rien n’a été connecté. Ouvrez le lien que vous avez reçu dans ce navigateur, puis réessayez.',
    takenTitle: 'Ce lien est ouvert dans un autre navigateur',
    taken:
      'Continuez dans celui-ci. Si ce n’était pas vous, prévenez la personne qui vous l’a envoyé et demandez-en un nouveau.',
    unavailableTitle: 'Ce lien ne peut pas être utilisé pour le moment',
    unavailable:
      '{integrator} ne peut pas vérifier votre identité. Réessayez plus tard ou contactez l’assistance de {integrator}.',
    busyTitle: 'Trop de demandes',
    busy: 'Réessayez dans une minute.',
    failedTitle: 'Une erreur s’est produite',
    failed: 'Vérifiez votre connexion à Internet, puis réessayez.',
    retry: 'Réessayer',
    createTitle: 'Connecter {vendor}',
    createAsked: '{integrator} vous demande de connecter votre compte {vendor}.',
    createInvited:
      '{inviter} vous invite à connecter votre compte {vendor}, afin que {customer} puisse utiliser ses données dans {integrator}.',
    createAnyTitle: 'Connecter une source de données',
    createAnyAsked: '{integrator} vous demande de connecter l’une de vos sources de données.',
    createAnyInvited:
      '{inviter} vous invite à connecter une source de données, afin que {customer} puisse utiliser ses données dans {integrator}.',
    reconnectTitle: 'Reconnecter {vendor}',
    reconnectAsked: '{integrator} vous demande de vous connecter de nouveau à {vendor}.',
    reconnectInvited:
      '{inviter} vous invite à vous connecter de nouveau à {vendor}, afin que {customer} puisse utiliser ses données dans {integrator}.',
    reads: '{integrator} lit : {read}.',
    neverChanges: '{integrator} ne modifie jamais vos données.',
    canChange: '{integrator} peut modifier : {changed}.',
    unnamedData: 'données',
    check: '{site} vérifie d’abord que vous êtes connecté à votre compte. Vous reviendrez ensuite ici.',
    continueTo: 'Continuer vers {site}',
    guestWarning:
      'Ne continuez que si vous attendiez cette invitation de {inviter}. En cas de doute, fermez cette page et posez-lui la question.',
    continue: 'Continuer',
    limit: 'Ce lien ne fonctionne qu’une seule fois et expire {when}.',
    leaving: 'Redirection vers {site}',
    unnamedCustomer: 'son équipe',
    forCustomer: 'Pour {customer}',
    done: '{vendor} est connecté',
    doneAny: 'Votre source est connectée',
    close: 'Vous pouvez fermer cette page.',
  },
  es: {
    opening: 'Abriendo tu enlace',
    needsTitle: 'Esta página necesita JavaScript y cookies',
    needs: 'Actívalos en los ajustes de tu navegador y vuelve a abrir el enlace.',
    incompleteTitle: 'Este enlace está incompleto',
    incomplete: 'Vuelve a abrir el enlace que recibiste. Si lo copiaste, cópialo entero.',
    unknownTitle: 'Este enlace no es válido',
    unknown: 'Comprueba que lo copiaste entero o pide uno nuevo a la persona que te lo envió.',
    expiredTitle: 'Este enlace ha caducado',
    expired: 'No se ha conectado nada. Pide uno nuevo a la persona que te lo envió.',
    revokedTitle: 'Este enlace se ha cancelado',
    revoked: 'No se ha conectado nada. Si aún lo necesitas, pide uno nuevo a la persona que te lo envió.',
    usedTitle: 'Este enlace ya se ha utilizado',
    used: 'Cada enlace funciona una sola vez. Para conectar otra cosa, pide uno nuevo a la persona que te lo envió.',
    elsewhereTitle: 'Iniciado en otro navegador',
    elsewhere:
      'Por tu seguridad, no se ha conectado nada. Abre el enlace que recibiste en este navegador y vuelve a intentarlo.',
    takenTitle: 'Este enlace está abierto en otro navegador',
    taken: 'Continúa allí. Si no fuiste tú, avisa a la persona que te lo envió y pide uno nuevo.',
    unavailableTitle: 'Este enlace no se puede usar en este momento',
    unavailable:
      '{integrator} no puede comprobar quién eres. Inténtalo más tarde o ponte en contacto con el soporte de {integrator}.',
    busyTitle: 'Demasiadas solicitudes',
    busy: 'Inténtalo de nuevo en un minuto.',
    failedTitle: 'Se ha producido un error',
    failed: 'Comprueba tu conexión a Internet y vuelve a intentarlo.',
    retry: 'Reintentar',
    createTitle: 'Conectar {vendor}',
    createAsked: '{integrator} te pide que conectes tu cuenta de {vendor}.',
    createInvited:
      '{inviter} te invita a conectar tu cuenta de {vendor} para que {customer} pueda usar sus datos en {integrator}.',
    createAnyTitle: 'Conectar una fuente de datos',
    createAnyAsked: '{integrator} te pide que conectes una de tus fuentes de datos.',
    createAnyInvited:
      '{inviter} te invita a conectar una fuente de datos para que {customer} pueda usar sus datos en {integrator}.',
    reconnectTitle: 'Volver a conectar {vendor}',
    reconnectAsked: '{integrator} te pide que vuelvas a iniciar sesión en {vendor}.',
    reconnectInvited:
      '{inviter} te invita a volver a iniciar sesión en {vendor} para que {customer} pueda usar sus datos en {integrator}.',
    reads: '{integrator} lee: {read}.',
    neverChanges: '{integrator} nunca modifica tus datos.',
    canChange: '{integrator} puede modificar: {changed}.',
    unnamedData: 'datos',
    check: 'Primero, {site} comprueba que has iniciado sesión. Después, volverás aquí.',
    continueTo: 'Continuar a {site}',
    guestWarning:
      'Continúa solo si esperabas esta invitación de {inviter}. Si tienes dudas, cierra esta página y pregúntale.',
    continue: 'Continuar',
    limit: 'Este enlace funciona una sola vez y caduca {when}.',
    leaving: 'Te llevamos a {site}',
    unnamedCustomer: 'su equipo',
    forCustomer: 'Para {customer}',
    done: '{vendor} está conectado',
    doneAny: 'Tu fuente está conectada',
    close: 'Puedes cerrar esta página.',
  },
  pt: {
    opening: 'Abrindo seu link',
    needsTitle: 'Esta página precisa de JavaScript e cookies',
    needs: 'Ative-os nas configurações do navegador e abra o link novamente.',
    incompleteTitle: 'Este link está incompleto',
    incomplete: 'Abra novamente o link que você recebeu. Se você o copiou, copie-o por inteiro.',
    unknownTitle: 'Este link é inválido',
    unknown: 'Verifique se você copiou o link inteiro ou peça um novo à pessoa que o enviou.',
    expiredTitle: 'Este link expirou',
    expired: 'Nada foi conectado. Peça um novo à pessoa que o enviou.',
    revokedTitle: 'Este link foi cancelado',
    revoked: 'Nada foi conectado. Se você ainda precisar dele, peça um novo à pessoa que o enviou.',
    usedTitle: 'Este link já foi usado',
    used: 'Cada link funciona uma única vez. Para conectar outra coisa, peça um novo à pessoa que o enviou.',
    elsewhereTitle: 'Iniciado em outro navegador',
    elsewhere:
      'Para sua segurança, nada foi conectado. Abra o link que você recebeu neste navegador e tente novamente.',
    takenTitle: 'Este link está aberto em outro navegador',
    taken: 'Continue nele. Se não foi você, avise a pessoa que o enviou e peça um novo.',
    unavailableTitle: 'Este link não pode ser usado no momento',
    unavailable:
      '{integrator} não consegue verificar quem você é. Tente mais tarde ou fale com o suporte do {integrator}.',
    busyTitle: 'Solicitações demais',
    busy: 'Tente novamente em um minuto.',
    failedTitle: 'Algo deu errado',
    failed: 'Verifique sua conexão com a internet e tente novamente.',
    retry: 'Tentar novamente',
    createTitle: 'Conectar {vendor}',
    createAsked: '{integrator} pede que você conecte sua conta do {vendor}.',
    createInvited:
      '{inviter} convida você a conectar sua conta do {vendor} para que {customer} possa usar os dados no {integrator}.',
    createAnyTitle: 'Conectar uma fonte de dados',
    createAnyAsked: '{integrator} pede que você conecte uma das suas fontes de dados.',
    createAnyInvited:
      '{inviter} convida você a conectar uma fonte de dados para que {customer} possa usar os dados no {integrator}.',
    reconnectTitle: 'Reconectar {vendor}',
    reconnectAsked: '{integrator} pede que você entre novamente no {vendor}.',
    reconnectInvited:
      '{inviter} convida você a entrar novamente no {vendor} para que {customer} possa usar os dados no {integrator}.',
    reads: '{integrator} lê: {read}.',
    neverChanges: '{integrator} nunca altera seus dados.',
    canChange: '{integrator} pode alterar: {changed}.',
    unnamedData: 'dados',
    check: 'Primeiro, {site} verifica se você entrou na sua conta. Depois, você volta para cá.',
    continueTo: 'Continuar para {site}',
    guestWarning:
      'Continue somente se você esperava este convite de {inviter}. Em caso de dúvida, feche esta página e pergunte.',
    continue: 'Continuar',
    limit: 'Este link funciona uma única vez e expira {when}.',
    leaving: 'Levando você para {site}',
    unnamedCustomer: 'a equipe',
    forCustomer: 'Para {customer}',
    done: '{vendor} está conectado',
    doneAny: 'Sua fonte está conectada',
    close: 'Você pode fechar esta página.',
  },
  ja: {
    opening: 'リンクを開いています',
    needsTitle: 'このページには JavaScript と Cookie が必要です',
    needs: 'ブラウザーの設定で有効にしてから、リンクをもう一度開いてください。',
    incompleteTitle: 'このリンクは不完全です',
    incomplete: '受け取ったリンクをもう一度開いてください。コピーした場合は、全体をコピーしてください。',
    unknownTitle: 'このリンクは無効です',
    unknown: '全体をコピーしたかどうかを確認するか、リンクの送信者に新しいリンクを依頼してください。',
    expiredTitle: 'このリンクの有効期限が切れています',
    expired: '接続は行われませんでした。リンクの送信者に新しいリンクを依頼してください。',
    revokedTitle: 'このリンクは取り消されました',
    revoked: '接続は行われませんでした。まだ必要な場合は、リンクの送信者に新しいリンクを依頼してください。',
    usedTitle: 'このリンクは使用済みです',
    used: 'リンクは 1 回だけ使用できます。ほかのものを接続するには、リンクの送信者に新しいリンクを依頼してください。',
    elsewhereTitle: '別のブラウザーで開始されました',
    elsewhere:
      '安全のため、接続は行われませんでした。受け取ったリンクをこのブラウザーで開き、もう一度お試しください。',
    takenTitle: 'このリンクは別のブラウザーで開かれています',
    taken:
      'そのブラウザーで続行してください。お心当たりがない場合は、リンクの送信者に知らせて、新しいリンクを依頼してください。',
    unavailableTitle: 'このリンクは現在使用できません',
    unavailable:
      '{integrator} がお客様を確認できません。しばらくしてからもう一度お試しいただくか、{integrator} のサポートにお問い合わせください。',
    busyTitle: 'リクエストが多すぎます',
    busy: '1 分後にもう一度お試しください。',
    failedTitle: '問題が発生しました',
    failed: 'インターネット接続を確認してから、もう一度お試しください。',
    retry: 'もう一度試す',
    createTitle: '{vendor} を接続',
    createAsked: '{integrator} が {vendor} アカウントの接続を求めています。',
    createInvited:
      '{inviter} から {vendor} アカウントの接続に招待されています。接続すると、{customer} がそのデータを {integrator} で使用できます。',
    createAnyTitle: 'データソースを接続',
    createAnyAsked: '{integrator} がデータソースの接続を求めています。',
    createAnyInvited:
      '{inviter} からデータソースの接続に招待されています。接続すると、{customer} がそのデータを {integrator} で使用できます。',
    reconnectTitle: '{vendor} を再接続',
    reconnectAsked: '{integrator} が {vendor} への再ログインを求めています。',
    reconnectInvited:
      '{inviter} から {vendor} への再ログインを依頼されています。ログインすると、{customer} がそのデータを {integrator} で使用できます。',
    reads: '{integrator} が読み取るデータ：{read}',
    neverChanges: '{integrator} がデータを変更することはありません',
    canChange: '{integrator} が変更できるもの：{changed}',
    unnamedData: 'データ',
    check: 'まず {site} がログイン状態を確認し、その後このページに戻ります。',
    continueTo: '{site} に進む',
    guestWarning:
      '{inviter} からの招待に心当たりがある場合にのみ続行してください。不明な場合は、このページを閉じて本人に確認してください。',
    continue: '続行',
    limit: 'このリンクは 1 回だけ使用でき、{when}に有効期限が切れます。',
    leaving: '{site} に移動しています',
    unnamedCustomer: 'そのチーム',
    forCustomer: '{customer} 用',
    done: '{vendor} が接続されました',
    doneAny: 'データソースが接続されました',
    close: 'このページは閉じてかまいません。',
  },
  zh: {
    opening: '正在打开链接',
    needsTitle: '此页面需要 JavaScript 和 Cookie',
    needs: '请在浏览器设置中启用它们，然后重新打开链接。',
    incompleteTitle: '此链接不完整',
    incomplete: '请重新打开您收到的链接。如果链接是复制的，请完整复制。',
    unknownTitle: '此链接无效',
    unknown: '请检查是否已完整复制链接，或向发送者索取新链接。',
    expiredTitle: '此链接已过期',
    expired: '未进行任何连接。请向发送者索取新链接。',
    revokedTitle: '此链接已被取消',
    revoked: '未进行任何连接。如果您仍然需要，请向发送者索取新链接。',
    usedTitle: '此链接已被使用',
    used: '每个链接只能使用一次。要连接其他数据源，请向发送者索取新链接。',
    elsewhereTitle: '在其他浏览器中发起',
    elsewhere: '为了您的安全，未进行任何连接。请在此浏览器中打开您收到的链接，然后重试。',
    takenTitle: '此链接已在其他浏览器中打开',
    taken: '请在该浏览器中继续。如果不是您本人操作，请告知发送者并索取新链接。',
    unavailableTitle: '此链接目前无法使用',
    unavailable: '{integrator} 无法核实您的身份。请稍后重试，或联系 {integrator} 的支持团队。',
    busyTitle: '请求过多',
    busy: '请在一分钟后重试。',
    failedTitle: '出了点问题',
    failed: '请检查您的网络连接，然后重试。',
    retry: '重试',
    createTitle: '连接 {vendor}',
    createAsked: '{integrator} 请您连接您的 {vendor} 账号。',
    createInvited: '{inviter} 邀请您连接您的 {vendor} 账号，以便 {customer} 在 {integrator} 中使用其数据。',
    createAnyTitle: '连接数据源',
    createAnyAsked: '{integrator} 请您连接一个数据源。',
    createAnyInvited: '{inviter} 邀请您连接一个数据源，以便 {customer} 在 {integrator} 中使用其数据。',
    reconnectTitle: '重新连接 {vendor}',
    reconnectAsked: '{integrator} 请您重新登录 {vendor}。',
    reconnectInvited: '{inviter} 邀请您重新登录 {vendor}，以便 {customer} 在 {integrator} 中使用其数据。',
    reads: '{integrator} 将读取：{read}。',
    neverChanges: '{integrator} 绝不会更改您的数据。',
    canChange: '{integrator} 可以更改：{changed}。',
    unnamedData: '数据',
    check: '{site} 会先确认您已登录，然后您将返回此页面。',
    continueTo: '前往 {site}',
    guestWarning: '仅当您预期会收到 {inviter} 的邀请时才继续。如果不确定，请关闭此页面并向对方确认。',
    continue: '继续',
    limit: '此链接只能使用一次，{when}过期。',
    leaving: '正在前往 {site}',
    unnamedCustomer: '对方团队',
    forCustomer: '用于 {customer}',
    done: '{vendor} 已连接',
    doneAny: '数据源已连接',
    close: '您可以关闭此页面。',
  },
  ar: {
    opening: 'جارٍ فتح الرابط',
    needsTitle: 'تحتاج هذه الصفحة إلى JavaScript وملفات تعريف الارتباط',
    needs: 'فعّلها في إعدادات متصفحك، ثم افتح الرابط مرة أخرى.',
    incompleteTitle: 'هذا الرابط غير مكتمل',
    incomplete: 'افتح الرابط الذي وصلك مرة أخرى. إذا كنت قد نسخته، فانسخه كاملًا.',
    unknownTitle: 'هذا الرابط غير صالح',
    unknown: 'تأكد من أنك نسخته كاملًا، أو اطلب رابطًا جديدًا من الشخص الذي أرسله.',
    expiredTitle: 'انتهت صلاحية هذا الرابط',
    expired: 'لم يتم ربط أي شيء. اطلب رابطًا جديدًا من الشخص الذي أرسله.',
    revokedTitle: 'أُلغي هذا الرابط',
    revoked: 'لم يتم ربط أي شيء. إذا كنت لا تزال بحاجة إليه، فاطلب رابطًا جديدًا من الشخص الذي أرسله.',
    usedTitle: 'سبق استخدام هذا الرابط',
    used: 'يعمل كل رابط مرة واحدة فقط. لربط شيء آخر، اطلب رابطًا جديدًا من الشخص الذي أرسله.',
    elsewhereTitle: 'بدأ الطلب في متصفح آخر',
    elsewhere: 'حفاظًا على أمانك، لم يتم ربط أي شيء. افتح الرابط الذي وصلك في هذا المتصفح، ثم حاول مرة أخرى.',
    takenTitle: 'هذا الرابط مفتوح في متصفح آخر',
    taken: 'تابع هناك. إذا لم تكن أنت من فتحه، فأخبر الشخص الذي أرسله واطلب رابطًا جديدًا.',
    unavailableTitle: 'لا يمكن استخدام هذا الرابط الآن',
    unavailable: 'يتعذّر على {integrator} التحقق من هويتك. حاول لاحقًا، أو تواصل مع فريق دعم {integrator}.',
    busyTitle: 'طلبات كثيرة جدًا',
    busy: 'حاول مرة أخرى بعد دقيقة.',
    failedTitle: 'حدث خطأ ما',
    failed: 'تحقق من اتصالك بالإنترنت، ثم حاول مرة أخرى.',
    retry: 'إعادة المحاولة',
    createTitle: 'ربط {vendor}',
    createAsked: 'يطلب منك {integrator} ربط حسابك في {vendor}.',
    createInvited:
      'يدعوك {inviter} إلى ربط حسابك في {vendor} ليتمكن {customer} من استخدام بياناته في {integrator}.',
    createAnyTitle: 'ربط مصدر بيانات',
    createAnyAsked: 'يطلب منك {integrator} ربط أحد مصادر بياناتك.',
    createAnyInvited:
      'يدعوك {inviter} إلى ربط مصدر بيانات ليتمكن {customer} من استخدام بياناته في {integrator}.',
    reconnectTitle: 'إعادة ربط {vendor}',
    reconnectAsked: 'يطلب منك {integrator} تسجيل الدخول إلى {vendor} مرة أخرى.',
    reconnectInvited:
      'يدعوك {inviter} إلى تسجيل الدخول إلى {vendor} مرة أخرى ليتمكن {customer} من استخدام بياناته في {integrator}.',
    reads: 'سيقرأ {integrator} ما يلي: {read}.',
    neverChanges: 'لا يغيّر {integrator} بياناتك أبدًا.',
    canChange: 'يمكن لـ {integrator} تغيير ما يلي: {changed}.',
    unnamedData: 'البيانات',
    check: 'أولًا، يتحقق {site} من أنك سجّلت الدخول. ثم تعود إلى هنا.',
    continueTo: 'المتابعة إلى {site}',
    guestWarning:
      'تابع فقط إذا كنت تتوقع هذه الدعوة من {inviter}. إذا لم تكن متأكدًا، فأغلق هذه الصفحة واسأله.',
    continue: 'متابعة',
    limit: 'يعمل هذا الرابط مرة واحدة فقط وتنتهي صلاحيته {when}.',
    leaving: 'جارٍ نقلك إلى {site}',
    unnamedCustomer: 'فريقه',
    forCustomer: 'لصالح {customer}',
    done: 'تم ربط {vendor}',
    doneAny: 'تم ربط مصدرك',
    close: 'يمكنك إغلاق هذه الصفحة.',
  },
};
