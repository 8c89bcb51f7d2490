import type { Language } from '@connector-auth/api';

/** The text of the error page. */
export const messages: Readonly<Record<Language, { readonly title: string; readonly text: string }>> = {
  en: {
    title: 'The app couldn’t ask for access',
    text: 'Go back to the app and try to connect again. If that doesn’t help, send this to the app’s support:',
  },
  de: {
    title: 'Die App konnte nicht um Zugriff bitten',
    text: 'Gehen Sie zurück zur App und verbinden Sie sich erneut. Wenn das nicht hilft, senden Sie dies an den Support der App:',
  },
  fr: {
    title: 'L’application n’a pas pu demander l’accès',
    text: 'Revenez à l’application et reconnectez-vous. Si cela ne suffit pas, envoyez ceci à l’assistance de l’application :',
  },
  es: {
    title: 'La aplicación no pudo solicitar acceso',
    text: 'Vuelve a la aplicación e intenta conectarte de nuevo. Si no funciona, envía esto al soporte de la aplicación:',
  },
  pt: {
    title: 'O aplicativo não conseguiu solicitar acesso',
    text: 'Volte ao aplicativo e tente se conectar novamente. Se não resolver, envie isto ao suporte do aplicativo:',
  },
  ja: {
    title: 'アプリがアクセスを要求できませんでした',
    text: 'アプリに戻り、もう一度接続してください。解決しない場合は、次の内容をアプリのサポートに送信してください。',
  },
  zh: {
    title: '应用无法请求访问权限',
    text: '请返回应用并重新连接。如果问题仍未解决，请将以下内容发送给应用的支持人员：',
  },
  ar: {
    title: 'تعذّر على التطبيق طلب الوصول',
    text: 'ارجع إلى التطبيق وحاول الاتصال مرة أخرى. إذا لم يُجدِ ذلك، فأرسل ما يلي إلى دعم التطبيق:',
  },
};
