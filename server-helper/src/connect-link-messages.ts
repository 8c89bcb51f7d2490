import type { Language } from '@connector-auth/api';

/** Why a connect link did not continue. */
export type Obstacle = 'failed' | 'over' | 'late' | 'signedOut' | 'otherAccount' | 'incomplete' | 'framed';

/** The text shown on the helper's page for a connect link. */
export interface Messages extends Readonly<
  Record<Obstacle, { readonly title: string; readonly text: string }>
> {
  readonly openAgain: string;
}

export const messages: Readonly<Record<Language, Messages>> = {
  en: {
    failed: {
      title: 'Something went wrong',
      text: 'Nothing was connected. Try again in a few minutes.',
    },
    over: {
      title: 'This link no longer works',
      text: 'It expired, was cancelled, or was already used. Ask for a new one.',
    },
    late: {
      title: 'That took too long',
      text: 'Nothing was connected. Open the link again and continue within five minutes.',
    },
    signedOut: {
      title: 'Sign in first',
      text: 'Sign in to your account in this browser, then open the link again.',
    },
    otherAccount: {
      title: 'This link is for a different account',
      text: 'Nothing was connected. Sign in to the account that the link is for and open it again, or ask for a new link.',
    },
    incomplete: {
      title: 'This address is incomplete',
      text: 'Open the link that you received again.',
    },
    framed: {
      title: 'Open this link in its own window',
      text: 'Open the link that you received in a new tab of your browser.',
    },
    openAgain: 'Open the link again',
  },
  de: {
    failed: {
      title: 'Etwas ist schiefgegangen',
      text: 'Es wurde nichts verbunden. Versuchen Sie es in einigen Minuten erneut.',
    },
    over: {
      title: 'Dieser Link funktioniert nicht mehr',
      text: 'Er ist abgelaufen, wurde zurückgezogen oder bereits verwendet. Bitten Sie um einen neuen.',
    },
    late: {
      title: 'Das hat zu lange gedauert',
      text: 'Es wurde nichts verbunden. Öffnen Sie den Link erneut und fahren Sie innerhalb von fünf Minuten fort.',
    },
    signedOut: {
      title: 'Melden Sie sich zuerst an',
      text: 'Melden Sie sich in diesem Browser bei Ihrem Konto an und öffnen Sie den Link dann erneut.',
    },
    otherAccount: {
      title: 'Dieser Link ist für ein anderes Konto',
      text: 'Es wurde nichts verbunden. Melden Sie sich bei dem Konto an, für das der Link bestimmt ist, und öffnen Sie ihn erneut, oder bitten Sie um einen neuen Link.',
    },
    incomplete: {
      title: 'Diese Adresse ist unvollständig',
      text: 'Öffnen Sie den Link, den Sie erhalten haben, noch einmal.',
    },
    framed: {
      title: 'Öffnen Sie diesen Link in einem eigenen Fenster',
      text: 'Öffnen Sie den Link, den Sie erhalten haben, in einem neuen Tab Ihres Browsers.',
    },
    openAgain: 'Link erneut öffnen',
  },
  fr: {
    failed: {
      title: 'Une erreur s’est produite',
      text: 'Rien n’a été connecté. Réessayez dans quelques minutes.',
    },
    over: {
      title: 'Ce lien ne fonctionne plus',
      text: 'Il a expiré, a été annulé ou a déjà été utilisé. Demandez-en un nouveau.',
    },
    late: {
      title: 'Le délai est dépassé',
      text: 'Rien n’a été connecté. Ouvrez de nouveau le lien et continuez dans les cinq minutes.',
    },
    signedOut: {
      title: 'Connectez-vous d’abord',
      text: 'Connectez-vous à votre compte dans ce navigateur, puis ouvrez de nouveau le lien.',
    },
    otherAccount: {
      title: 'Ce lien est destiné à un autre compte',
      text: 'Rien n’a été connecté. Connectez-vous au compte auquel le lien est destiné et ouvrez-le de nouveau, ou demandez un nouveau lien.',
    },
    incomplete: {
      title: 'Cette adresse est incomplète',
      text: 'Ouvrez de nouveau le lien que vous avez reçu.',
    },
    framed: {
      title: 'Ouvrez ce lien dans sa propre fenêtre',
      text: 'Ouvrez le lien que vous avez reçu dans un nouvel onglet de votre navigateur.',
    },
    openAgain: 'Ouvrir de nouveau le lien',
  },
  es: {
    failed: {
      title: 'Se ha producido un error',
      text: 'No se ha conectado nada. Inténtalo de nuevo en unos minutos.',
    },
    over: {
      title: 'Este enlace ya no funciona',
      text: 'Ha caducado, se ha cancelado o ya se ha utilizado. Pide uno nuevo.',
    },
    late: {
      title: 'Ha pasado demasiado tiempo',
      text: 'No se ha conectado nada. Vuelve a abrir el enlace y continúa en un plazo de cinco minutos.',
    },
    signedOut: {
      title: 'Primero inicia sesión',
      text: 'Inicia sesión en tu cuenta en este navegador y vuelve a abrir el enlace.',
    },
    otherAccount: {
      title: 'Este enlace es para otra cuenta',
      text: 'No se ha conectado nada. Inicia sesión en la cuenta a la que va dirigido el enlace y vuelve a abrirlo, o pide un enlace nuevo.',
    },
    incomplete: {
      title: 'Esta dirección está incompleta',
      text: 'Vuelve a abrir el enlace que recibiste.',
    },
    framed: {
      title: 'Abre este enlace en su propia ventana',
      text: 'Abre el enlace que recibiste en una pestaña nueva de tu navegador.',
    },
    openAgain: 'Volver a abrir el enlace',
  },
  pt: {
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
      text: 'Nada foi conectado. Abra o link novamente e continue em até cinco minutos.',
    },
    signedOut: {
      title: 'Entre na sua conta primeiro',
      text: 'Entre na sua conta neste navegador e abra o link novamente.',
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
    openAgain: 'Abrir o link novamente',
  },
  ja: {
    failed: {
      title: '問題が発生しました',
      text: '接続は行われませんでした。数分後にもう一度お試しください。',
    },
    over: {
      title: 'このリンクは使用できなくなりました',
      text: '有効期限が切れたか、取り消されたか、すでに使用されています。新しいリンクを依頼してください。',
    },
    late: {
      title: '時間がかかりすぎました',
      text: '接続は行われませんでした。リンクをもう一度開き、5 分以内に続行してください。',
    },
    signedOut: {
      title: '先にサインインしてください',
      text: 'このブラウザーでアカウントにサインインしてから、リンクをもう一度開いてください。',
    },
    otherAccount: {
      title: 'このリンクは別のアカウント用です',
      text: '接続は行われませんでした。リンクの対象のアカウントにサインインしてもう一度開くか、新しいリンクを依頼してください。',
    },
    incomplete: {
      title: 'このアドレスは不完全です',
      text: '受け取ったリンクをもう一度開いてください。',
    },
    framed: {
      title: 'このリンクは単独のウィンドウで開いてください',
      text: '受け取ったリンクをブラウザーの新しいタブで開いてください。',
    },
    openAgain: 'リンクをもう一度開く',
  },
  zh: {
    failed: { title: '出了点问题', text: '未进行任何连接。请在几分钟后重试。' },
    over: { title: '此链接已失效', text: '链接已过期、已被取消或已被使用。请索取新链接。' },
    late: {
      title: '操作超时',
      text: '未进行任何连接。请重新打开链接，并在五分钟内继续。',
    },
    signedOut: { title: '请先登录', text: '请在此浏览器中登录您的账户，然后重新打开链接。' },
    otherAccount: {
      title: '此链接适用于其他账户',
      text: '未进行任何连接。请登录该链接对应的账户并重新打开链接，或索取新链接。',
    },
    incomplete: { title: '此地址不完整', text: '请重新打开您收到的链接。' },
    framed: { title: '请在单独的窗口中打开此链接', text: '请在浏览器的新标签页中打开您收到的链接。' },
    openAgain: '重新打开链接',
  },
  ar: {
    failed: { title: 'حدث خطأ ما', text: 'لم يتم ربط أي شيء. حاول مرة أخرى بعد بضع دقائق.' },
    over: {
      title: 'لم يعد هذا الرابط يعمل',
      text: 'انتهت صلاحيته أو أُلغي أو سبق استخدامه. اطلب رابطًا جديدًا.',
    },
    late: {
      title: 'استغرق الأمر وقتًا طويلًا',
      text: 'لم يتم ربط أي شيء. افتح الرابط مرة أخرى وتابع خلال خمس دقائق.',
    },
    signedOut: {
      title: 'سجّل الدخول أولًا',
      text: 'سجّل الدخول إلى حسابك في هذا المتصفح، ثم افتح الرابط مرة أخرى.',
    },
    otherAccount: {
      title: 'هذا الرابط مخصص لحساب آخر',
      text: 'لم يتم ربط أي شيء. سجّل الدخول إلى الحساب المخصص له الرابط وافتحه مرة أخرى، أو اطلب رابطًا جديدًا.',
    },
    incomplete: { title: 'هذا العنوان غير مكتمل', text: 'افتح الرابط الذي وصلك مرة أخرى.' },
    framed: {
      title: 'افتح هذا الرابط في نافذة مستقلة',
      text: 'افتح الرابط الذي وصلك في علامة تبويب جديدة في متصفحك.',
    },
    openAgain: 'افتح الرابط مرة أخرى',
  },
};
