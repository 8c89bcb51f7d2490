import type { Language } from '@connector-auth/api';

/** The text shown on the pages. `{vendor}`, `{integrator}`, `{customer}` and `{site}` are placeholders. */
export interface Messages {
  readonly confirmTitle: string;
  readonly confirm: string;
  /** Replaces `confirm` if the integrator's site is unknown. */
  readonly confirmAnywhere: string;
  /** Shown if the customer has a display name. */
  readonly forCustomer: string;
  readonly confirmWarning: string;
  readonly continue: string;
  /** Shown while the browser loads the vendor's page. */
  readonly leavingTitle: string;
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

export const messages: Readonly<Record<Language, Messages>> = {
  en: {
    confirmTitle: 'Connect {vendor}?',
    confirm: '{integrator} ({site}) wants to access your {vendor} data.',
    confirmAnywhere: '{integrator} wants to access your {vendor} data.',
    forCustomer: 'For {customer}',
    confirmWarning: 'Continue only if you started this. If someone sent you a link, close this window.',
    continue: 'Continue to {vendor}',
    leavingTitle: 'Taking you to {vendor}',
    completedTitle: 'Access granted',
    completed: '{integrator} is connecting to {vendor}.',
    deniedTitle: 'Not connected',
    denied: 'You didn’t allow access to {vendor}. Nothing was saved.',
    failedTitle: 'Couldn’t connect {vendor}',
    failed: 'Nothing was saved. Please try again.',
    expiredTitle: 'Sign-in timed out',
    expired:
      'Your request to connect {vendor} has expired. Nothing was saved. Start again when you’re ready.',
    usedTitle: 'This link was already used',
    used: 'Each link to connect {vendor} works only once. Start again to get a new one.',
    unknownTitle: 'This link is invalid or has expired',
    unknown: 'Start again to get a new link.',
    elsewhereTitle: 'You started in a different browser',
    elsewhere: 'For your security, nothing was connected. Start again in this browser.',
    close: 'You can close this window.',
    back: 'Back to {site}',
  },
  de: {
    confirmTitle: '{vendor} verbinden?',
    confirm: '{integrator} ({site}) möchte auf Ihre Daten bei {vendor} zugreifen.',
    confirmAnywhere: '{integrator} möchte auf Ihre Daten bei {vendor} zugreifen.',
    forCustomer: 'Für {customer}',
    confirmWarning:
      'Fahren Sie nur fort, wenn Sie diesen Vorgang selbst gestartet haben. Wenn Ihnen jemand einen Link geschickt hat, schließen Sie dieses Fenster.',
    continue: 'Weiter zu {vendor}',
    leavingTitle: 'Sie werden zu {vendor} weitergeleitet',
    completedTitle: 'Zugriff erlaubt',
    completed: '{integrator} stellt die Verbindung zu {vendor} her.',
    deniedTitle: 'Nicht verbunden',
    denied: 'Sie haben den Zugriff auf {vendor} nicht erlaubt. Es wurde nichts gespeichert.',
    failedTitle: '{vendor} konnte nicht verbunden werden',
    failed: 'Es wurde nichts gespeichert. Bitte versuchen Sie es erneut.',
    expiredTitle: 'Zeit für die Anmeldung abgelaufen',
    expired:
      'Ihre Anfrage, {vendor} zu verbinden, ist abgelaufen. Es wurde nichts gespeichert. Beginnen Sie von vorn, wenn Sie so weit sind.',
    usedTitle: 'Dieser Link wurde bereits verwendet',
    used: 'Jeder Link zum Verbinden von {vendor} funktioniert nur einmal. Beginnen Sie von vorn, um einen neuen Link zu erhalten.',
    unknownTitle: 'Dieser Link ist ungültig oder abgelaufen',
    unknown: 'Beginnen Sie von vorn, um einen neuen Link zu erhalten.',
    elsewhereTitle: 'In einem anderen Browser gestartet',
    elsewhere: 'Zu Ihrer Sicherheit wurde nichts verbunden. Beginnen Sie in diesem Browser von vorn.',
    close: 'Sie können dieses Fenster schließen.',
    back: 'Zurück zu {site}',
  },
  fr: {
    confirmTitle: 'Connecter {vendor} ?',
    confirm: '{integrator} ({site}) souhaite accéder à vos données {vendor}.',
    confirmAnywhere: '{integrator} souhaite accéder à vos données {vendor}.',
    forCustomer: 'Pour {customer}',
    confirmWarning:
      'Ne continuez que si vous êtes à l’origine de cette demande. Si quelqu’un vous a envoyé un lien, fermez cette fenêtre.',
    continue: 'Continuer vers {vendor}',
    leavingTitle: 'Redirection vers {vendor}',
    completedTitle: 'Accès autorisé',
    completed: '{integrator} se connecte à {vendor}.',
    deniedTitle: 'Non connecté',
    denied: 'Vous n’avez pas autorisé l’accès à {vendor}. Rien n’a été enregistré.',
    failedTitle: 'Impossible de connecter {vendor}',
    failed: 'Rien n’a été enregistré. Veuillez réessayer.',
    expiredTitle: 'Le délai de connexion a expiré',
    expired:
      'Votre demande de connexion à {vendor} a expiré. Rien n’a été enregistré. Recommencez quand vous le souhaitez.',
    usedTitle: 'Ce lien a déjà été utilisé',
    used: 'Chaque lien de connexion à {vendor} ne fonctionne qu’une seule fois. Recommencez pour en obtenir un nouveau.',
    unknownTitle: 'Ce lien n’est pas valide ou a expiré',
    unknown: 'Recommencez pour obtenir un nouveau lien.',
    elsewhereTitle: 'Demande commencée dans un autre navigateur',
    elsewhere: 'Par mesure de sécurité, rien n’a été connecté. Recommencez dans ce navigateur.',
    close: 'Vous pouvez fermer cette fenêtre.',
    back: 'Retour à {site}',
  },
  es: {
    confirmTitle: '¿Conectar {vendor}?',
    confirm: '{integrator} ({site}) quiere acceder a tus datos de {vendor}.',
    confirmAnywhere: '{integrator} quiere acceder a tus datos de {vendor}.',
    forCustomer: 'Para {customer}',
    confirmWarning:
      'Continúa solo si has iniciado tú este proceso. Si alguien te ha enviado un enlace, cierra esta ventana.',
    continue: 'Continuar a {vendor}',
    leavingTitle: 'Te llevamos a {vendor}',
    completedTitle: 'Acceso permitido',
    completed: '{integrator} se está conectando a {vendor}.',
    deniedTitle: 'No conectado',
    denied: 'No has permitido el acceso a {vendor}. No se ha guardado nada.',
    failedTitle: 'No se ha podido conectar {vendor}',
    failed: 'No se ha guardado nada. Inténtalo de nuevo.',
    expiredTitle: 'Se agotó el tiempo para iniciar sesión',
    expired:
      'Tu solicitud para conectar {vendor} ha caducado. No se ha guardado nada. Vuelve a empezar cuando quieras.',
    usedTitle: 'Este enlace ya se ha utilizado',
    used: 'Cada enlace para conectar {vendor} funciona una sola vez. Vuelve a empezar para obtener uno nuevo.',
    unknownTitle: 'Este enlace no es válido o ha caducado',
    unknown: 'Vuelve a empezar para obtener un enlace nuevo.',
    elsewhereTitle: 'Iniciado en otro navegador',
    elsewhere: 'Por tu seguridad, no se ha conectado nada. Vuelve a empezar en este navegador.',
    close: 'Puedes cerrar esta ventana.',
    back: 'Volver a {site}',
  },
  pt: {
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
  },
  ja: {
    confirmTitle: '{vendor} を接続しますか？',
    confirm: '{integrator}（{site}）が {vendor} のデータへのアクセスを求めています。',
    confirmAnywhere: '{integrator} が {vendor} のデータへのアクセスを求めています。',
    forCustomer: '{customer} 用',
    confirmWarning:
      'ご自身で開始した場合にのみ続行してください。誰かからリンクが送られてきた場合は、このウィンドウを閉じてください。',
    continue: '{vendor} に進む',
    leavingTitle: '{vendor} に移動しています',
    completedTitle: 'アクセスが許可されました',
    completed: '{integrator} が {vendor} に接続しています。',
    deniedTitle: '接続されていません',
    denied: '{vendor} へのアクセスが許可されませんでした。何も保存されていません。',
    failedTitle: '{vendor} を接続できませんでした',
    failed: '何も保存されていません。もう一度お試しください。',
    expiredTitle: 'サインインの制限時間を過ぎました',
    expired:
      '{vendor} を接続するリクエストの有効期限が切れました。何も保存されていません。準備ができたら、最初からやり直してください。',
    usedTitle: 'このリンクは使用済みです',
    used: '{vendor} を接続するリンクは 1 回だけ使用できます。最初からやり直して、新しいリンクを取得してください。',
    unknownTitle: 'このリンクは無効か、有効期限が切れています',
    unknown: '最初からやり直して、新しいリンクを取得してください。',
    elsewhereTitle: '別のブラウザーで開始されました',
    elsewhere: '安全のため、接続は行われませんでした。このブラウザーで最初からやり直してください。',
    close: 'このウィンドウは閉じてかまいません。',
    back: '{site} に戻る',
  },
  zh: {
    confirmTitle: '连接 {vendor}？',
    confirm: '{integrator}（{site}）想要访问您在 {vendor} 的数据。',
    confirmAnywhere: '{integrator} 想要访问您在 {vendor} 的数据。',
    forCustomer: '用于 {customer}',
    confirmWarning: '仅当这是您本人发起的操作时才继续。如果是别人发给您的链接，请关闭此窗口。',
    continue: '前往 {vendor}',
    leavingTitle: '正在前往 {vendor}',
    completedTitle: '已允许访问',
    completed: '{integrator} 正在连接 {vendor}。',
    deniedTitle: '未连接',
    denied: '您未允许访问 {vendor}。没有保存任何内容。',
    failedTitle: '无法连接 {vendor}',
    failed: '没有保存任何内容。请重试。',
    expiredTitle: '登录超时',
    expired: '您连接 {vendor} 的请求已过期。没有保存任何内容。准备好后，请重新开始。',
    usedTitle: '此链接已被使用',
    used: '每个连接 {vendor} 的链接只能使用一次。请重新开始以获取新链接。',
    unknownTitle: '此链接无效或已过期',
    unknown: '请重新开始以获取新链接。',
    elsewhereTitle: '在其他浏览器中发起',
    elsewhere: '为了您的安全，未进行任何连接。请在此浏览器中重新开始。',
    close: '您可以关闭此窗口。',
    back: '返回 {site}',
  },
  ar: {
    confirmTitle: 'هل تريد ربط {vendor}؟',
    confirm: 'يريد {integrator} ({site}) الوصول إلى بياناتك في {vendor}.',
    confirmAnywhere: 'يريد {integrator} الوصول إلى بياناتك في {vendor}.',
    forCustomer: 'لصالح {customer}',
    confirmWarning: 'تابع فقط إذا كنت أنت من بدأ هذه العملية. إذا أرسل إليك شخص ما رابطًا، فأغلق هذه النافذة.',
    continue: 'المتابعة إلى {vendor}',
    leavingTitle: 'جارٍ نقلك إلى {vendor}',
    completedTitle: 'تم السماح بالوصول',
    completed: 'يتصل {integrator} الآن بـ {vendor}.',
    deniedTitle: 'لم يتم الربط',
    denied: 'لم تسمح بالوصول إلى {vendor}. لم يُحفظ أي شيء.',
    failedTitle: 'تعذّر ربط {vendor}',
    failed: 'لم يُحفظ أي شيء. يُرجى المحاولة مرة أخرى.',
    expiredTitle: 'انتهت مهلة تسجيل الدخول',
    expired: 'انتهت صلاحية طلبك لربط {vendor}. لم يُحفظ أي شيء. ابدأ من جديد عندما تكون مستعدًا.',
    usedTitle: 'سبق استخدام هذا الرابط',
    used: 'يعمل كل رابط لربط {vendor} مرة واحدة فقط. ابدأ من جديد للحصول على رابط جديد.',
    unknownTitle: 'هذا الرابط غير صالح أو انتهت صلاحيته',
    unknown: 'ابدأ من جديد للحصول على رابط جديد.',
    elsewhereTitle: 'بدأ الطلب في متصفح آخر',
    elsewhere: 'حفاظًا على أمانك، لم يتم ربط أي شيء. ابدأ من جديد في هذا المتصفح.',
    close: 'يمكنك إغلاق هذه النافذة.',
    back: 'العودة إلى {site}',
  },
};
