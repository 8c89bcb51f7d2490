import type { AgentScope } from '@connector-auth/api';
import type { Messages } from './messages.ts';

/** The messages of the screen for apps and agents in all languages, in the file that is loaded with it. */
interface AgentWords {
  readonly lead: string;
  readonly emptyTitle: string;
  readonly addTitle: string;
  readonly addHint: string;
  readonly address: string;
  /** The name of an app that has no host. */
  readonly onDevice: string;
  /** What the app says it is called, which can be anything. */
  readonly claims: (name: string) => string;
  readonly by: (person: string) => string;
  readonly scopes: Readonly<Record<AgentScope, string>>;
  /** The sources that the app can use, if not all. */
  readonly only: (sources: string) => string;
  /** `when` is a relative time such as “2 min ago”. */
  readonly lastUsed: (when: string) => string;
  /** `when` is a relative time such as “in 29 days”. */
  readonly ends: (when: string) => string;
  readonly revoke: string;
  readonly revokeTitle: (app: string) => string;
  readonly revokeHint: (person: string) => string;
  readonly revoked: (app: string) => string;
  readonly notRevoked: string;
}

const en: AgentWords = {
  lead: 'What people have allowed to use this data.',
  emptyTitle: 'No apps or agents',
  addTitle: 'Add another',
  addHint: 'Add this address as a connector in Claude, ChatGPT or another app, then sign in there.',
  address: 'Address to add',
  onDevice: 'App on a device',
  claims: name => `Calls itself “${name}”`,
  by: person => `Allowed by ${person}`,
  scopes: { read: 'Reads', search: 'Searches', write: 'Creates and changes', connect: 'Sends connect links' },
  only: sources => `Only ${sources}`,
  lastUsed: when => `Used ${when}`,
  ends: when => `Ends ${when}`,
  revoke: 'Revoke',
  revokeTitle: app => `Revoke access of ${app}?`,
  revokeHint: person => `It can no longer use this data, starting now. ${person} can allow it again.`,
  revoked: app => `${app} no longer has access`,
  notRevoked: 'Couldn’t revoke access',
};

const translations: Readonly<Record<string, AgentWords>> = {
  ar: {
    lead: 'ما سمح له الأشخاص باستخدام هذه البيانات.',
    emptyTitle: 'لا توجد تطبيقات أو وكلاء',
    addTitle: 'إضافة تطبيق آخر',
    addHint: 'أضف هذا العنوان كموصل في Claude أو ChatGPT أو تطبيق آخر، ثم سجّل الدخول هناك.',
    address: 'العنوان المراد إضافته',
    onDevice: 'تطبيق على جهاز',
    claims: name => `يسمّي نفسه «${name}»`,
    by: person => `سمح به ${person}`,
    scopes: { read: 'قراءة', search: 'بحث', write: 'إنشاء وتعديل', connect: 'إرسال روابط الربط' },
    only: sources => `${sources} فقط`,
    lastUsed: when => `آخر استخدام: ${when}`,
    ends: when => `ينتهي ${when}`,
    revoke: 'إلغاء الوصول',
    revokeTitle: app => `هل تريد إلغاء وصول ${app}؟`,
    revokeHint: person => `لن يتمكن من استخدام هذه البيانات بدءًا من الآن. ويمكن أن يسمح له ${person} من جديد.`,
    revoked: app => `لم يعد لدى ${app} إمكانية الوصول`,
    notRevoked: 'تعذّر إلغاء الوصول',
  },
  de: {
    lead: 'Wem Personen die Nutzung dieser Daten erlaubt haben.',
    emptyTitle: 'Keine Apps oder Agenten',
    addTitle: 'Weitere hinzufügen',
    addHint:
      'Fügen Sie diese Adresse als Connector in Claude, ChatGPT oder einer anderen App hinzu und melden Sie sich dort an.',
    address: 'Hinzuzufügende Adresse',
    onDevice: 'App auf einem Gerät',
    claims: name => `Nennt sich „${name}“`,
    by: person => `Erlaubt von ${person}`,
    scopes: {
      read: 'Liest',
      search: 'Durchsucht',
      write: 'Erstellt und ändert',
      connect: 'Versendet Verbindungslinks',
    },
    only: sources => `Nur ${sources}`,
    lastUsed: when => `Zuletzt genutzt: ${when}`,
    ends: when => `Endet ${when}`,
    revoke: 'Entziehen',
    revokeTitle: app => `${app} den Zugriff entziehen?`,
    revokeHint: person =>
      `Diese Daten können ab sofort nicht mehr genutzt werden. ${person} kann den Zugriff erneut erlauben.`,
    revoked: app => `${app} hat keinen Zugriff mehr`,
    notRevoked: 'Der Zugriff konnte nicht entzogen werden',
  },
  es: {
    lead: 'Lo que las personas han autorizado a usar estos datos.',
    emptyTitle: 'No hay aplicaciones ni agentes',
    addTitle: 'Añadir otra',
    addHint: 'Añade esta dirección como conector en Claude, ChatGPT u otra aplicación e inicia sesión allí.',
    address: 'Dirección que añadir',
    onDevice: 'Aplicación en un dispositivo',
    claims: name => `Dice llamarse «${name}»`,
    by: person => `Autorizado por ${person}`,
    scopes: { read: 'Lee', search: 'Busca', write: 'Crea y modifica', connect: 'Envía enlaces de conexión' },
    only: sources => `Solo ${sources}`,
    lastUsed: when => `Último uso: ${when}`,
    ends: when => `Termina ${when}`,
    revoke: 'Revocar',
    revokeTitle: app => `¿Revocar el acceso de ${app}?`,
    revokeHint: person => `Desde ahora ya no podrá usar estos datos. ${person} puede autorizarlo de nuevo.`,
    revoked: app => `${app} ya no tiene acceso`,
    notRevoked: 'No se pudo revocar el acceso',
  },
  fr: {
    lead: 'Ce que des personnes ont autorisé à utiliser ces données.',
    emptyTitle: 'Aucune application ni aucun agent',
    addTitle: 'En ajouter',
    addHint:
      'Ajoutez cette adresse comme connecteur dans Claude, ChatGPT ou une autre application, puis connectez-vous-y.',
    address: 'Adresse à ajouter',
    onDevice: 'Application sur un appareil',
    claims: name => `Se présente comme « ${name} »`,
    by: person => `Autorisé par ${person}`,
    scopes: {
      read: 'Lit',
      search: 'Recherche',
      write: 'Crée et modifie',
      connect: 'Envoie des liens de connexion',
    },
    only: sources => `Uniquement ${sources}`,
    lastUsed: when => `Dernière utilisation : ${when}`,
    ends: when => `Prend fin ${when}`,
    revoke: 'Révoquer',
    revokeTitle: app => `Révoquer l’accès de ${app} ?`,
    revokeHint: person =>
      `Ces données ne pourront plus être utilisées dès maintenant. ${person} peut l’autoriser à nouveau.`,
    revoked: app => `${app} n’a plus accès`,
    notRevoked: 'Impossible de révoquer l’accès',
  },
  ja: {
    lead: 'このデータの利用が許可されているものです。',
    emptyTitle: 'アプリやエージェントはありません',
    addTitle: '追加する',
    addHint: 'Claude、ChatGPT などのアプリでこのアドレスをコネクタとして追加し、サインインしてください。',
    address: '追加するアドレス',
    onDevice: 'デバイス上のアプリ',
    claims: name => `「${name}」と名乗っています`,
    by: person => `${person} さんが許可`,
    scopes: { read: '読み取り', search: '検索', write: '作成と変更', connect: '接続リンクの送信' },
    only: sources => `${sources} のみ`,
    lastUsed: when => `最終利用: ${when}`,
    ends: when => `${when}に終了`,
    revoke: '取り消す',
    revokeTitle: app => `${app} のアクセスを取り消しますか？`,
    revokeHint: person => `今すぐこのデータを利用できなくなります。${person} さんはもう一度許可できます。`,
    revoked: app => `${app} はアクセスできなくなりました`,
    notRevoked: 'アクセスを取り消せませんでした',
  },
  pt: {
    lead: 'O que as pessoas autorizaram a usar estes dados.',
    emptyTitle: 'Não há aplicativos nem agentes',
    addTitle: 'Adicionar outro',
    addHint:
      'Adicione este endereço como conector no Claude, no ChatGPT ou em outro aplicativo e entre na sua conta lá.',
    address: 'Endereço para adicionar',
    onDevice: 'Aplicativo em um dispositivo',
    claims: name => `Diz se chamar “${name}”`,
    by: person => `Autorizado por ${person}`,
    scopes: { read: 'Lê', search: 'Pesquisa', write: 'Cria e altera', connect: 'Envia links de conexão' },
    only: sources => `Somente ${sources}`,
    lastUsed: when => `Último uso: ${when}`,
    ends: when => `Termina ${when}`,
    revoke: 'Revogar',
    revokeTitle: app => `Revogar o acesso de ${app}?`,
    revokeHint: person =>
      `Ele não poderá mais usar estes dados a partir de agora. ${person} pode autorizar novamente.`,
    revoked: app => `${app} não tem mais acesso`,
    notRevoked: 'Não foi possível revogar o acesso',
  },
  zh: {
    lead: '已获准使用这些数据的应用。',
    emptyTitle: '没有应用或智能体',
    addTitle: '添加其他应用',
    addHint: '在 Claude、ChatGPT 或其他应用中将此地址添加为连接器，然后在那里登录。',
    address: '要添加的地址',
    onDevice: '设备上的应用',
    claims: name => `自称“${name}”`,
    by: person => `由 ${person} 授权`,
    scopes: { read: '读取', search: '搜索', write: '创建和更改', connect: '发送连接链接' },
    only: sources => `仅限 ${sources}`,
    lastUsed: when => `上次使用：${when}`,
    ends: when => `${when}到期`,
    revoke: '撤销',
    revokeTitle: app => `要撤销 ${app} 的访问权限吗？`,
    revokeHint: person => `它将立即无法再使用这些数据。${person} 可以重新授权。`,
    revoked: app => `${app} 已无法访问`,
    notRevoked: '无法撤销访问权限',
  },
};

/** Returns the words in the language of the other messages. English replaces those that a page has added. */
export function agentWords({ language }: Pick<Messages, 'language'>): AgentWords {
  return translations[language.slice(0, 2)] ?? en;
}
