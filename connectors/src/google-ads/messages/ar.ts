import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Arabic. */
export const ar = {
  description: 'إعلانات البحث: الحسابات والحملات والإعلانات والتصنيفات',
  category: 'الإعلانات',
  reads: ['الحملات', 'الإعلانات', 'الأداء اليومي'],
  changes: ['الحملات', 'المجموعات الإعلانية', 'التصنيفات'],
  consentSays: 'تعديل',
  signIn: {
    title: 'تسجيل الدخول باستخدام Google',
    description: 'اختر حساب Google الذي يمكنه الوصول إلى حساباتك في Google Ads.',
    instead: 'تسجيل الدخول باستخدام Google بدلًا من ذلك',
  },
  ownClient: {
    title: 'تطبيق تسجيل الدخول ورمز المطوّر',
    description:
      'استخدم تطبيق تسجيل الدخول الخاص بك من وحدة تحكم Google Cloud، ورمز تحديث بالنطاق https://www.googleapis.com/auth/adwords، ورمز مطوّر من API Center في حساب إداري على Google Ads.',
    instead: 'استخدام تطبيق تسجيل الدخول الخاص بك بدلًا من ذلك',
    steps: [
      'في وحدة تحكم Google Cloud، افتح APIs & Services → Credentials، وانسخ المعرّف والسر لتطبيق تسجيل الدخول (OAuth 2.0 Client IDs).',
      'استخدم هذا التطبيق للحصول على رمز تحديث بالنطاق https://www.googleapis.com/auth/adwords',
      'في حسابك الإداري على Google Ads، افتح Admin → API Center، وانسخ رمز المطوّر.',
      'الصق القيم الأربع كلها هنا.',
    ],
    who: 'مطوّر يمكنه الوصول إلى مشروعك في Google Cloud وإلى حساب إداري على Google Ads.',
    clientId: {
      title: 'معرّف العميل',
      hint: 'في وحدة تحكم Google Cloud، ضمن APIs & Services → Credentials',
      missing: 'الصق معرّف العميل',
      tooLong: 'معرّف العميل طويل جدًا',
      characters: 'لا يمكن أن يحتوي معرّف العميل على مسافات أو أحرف خاصة',
    },
    clientSecret: {
      title: 'سر العميل',
      hint: 'يظهر بجانب معرّف العميل',
      missing: 'الصق سر العميل',
      tooLong: 'سر العميل طويل جدًا',
      characters: 'لا يمكن أن يحتوي سر العميل على مسافات أو أحرف خاصة',
      rejected: 'لم تقبل Google معرّف العميل وسر العميل هذين',
    },
    refreshToken: {
      title: 'رمز التحديث',
      hint: 'يصدر للوصول بلا اتصال عندما يوافق مستخدم Google',
      missing: 'الصق رمز التحديث',
      tooLong: 'رمز التحديث طويل جدًا',
      characters: 'لا يمكن أن يحتوي رمز التحديث على مسافات أو أحرف خاصة',
      rejected: 'لم تعد Google تقبل رمز التحديث هذا. فقد أُبطل، أو انتهت صلاحيته، أو لم يُستخدم لمدة 6 أشهر.',
    },
    developerToken: {
      title: 'رمز المطوّر',
      hint: 'في حساب إداري على Google Ads، ضمن Admin → API Center (22 حرفًا)',
      missing: 'الصق رمز المطوّر',
      tooLong: 'رمز المطوّر طويل جدًا',
      characters: 'لا يمكن أن يحتوي رمز المطوّر على مسافات أو أحرف خاصة',
    },
  },
  customerIds: {
    title: 'أرقام تعريف العملاء',
    hint: 'حسابات Google Ads التي تريد مزامنتها. اتركه فارغًا لمزامنة كل الحسابات التي يمكنك الوصول إليها.',
    digits: 'يتكوّن رقم تعريف العميل من 10 أرقام دون شرطات',
    none: 'أدخل رقم تعريف عميل واحدًا على الأقل',
    tooMany: 'أدخل 2,000 رقم تعريف عميل كحد أقصى',
  },
  startDate: {
    title: 'تاريخ البدء',
    hint: 'أول يوم تريد مزامنة مقاييسه. اتركه فارغًا للبدء من قبل عامين.',
    format: 'استخدم الصيغة YYYY-MM-DD',
  },
  account: {
    manager: 'حساب إداري',
    client: 'حساب عميل',
    test: 'حساب تجريبي',
    isManager: 'لا تحتوي الحسابات الإدارية على حملات خاصة بها',
    canceled: 'هذا الحساب مُلغى',
    suspended: 'علّقت Google هذا الحساب',
    closed: 'هذا الحساب مغلق',
    notEnabled: 'هذا الحساب مُلغى أو لم يكتمل إعداده',
    noAccess: 'ليس لديك حق الوصول إلى هذا الحساب',
  },
  accessibleCustomers: {
    title: 'الحسابات المتاحة',
    access: 'الحسابات التي يمكنك فتحها مباشرةً.',
  },
  accounts: {
    title: 'الحسابات',
    access: 'اسم كل حساب وعملته ومنطقته الزمنية وإعداداته.',
  },
  campaigns: {
    title: 'الحملات',
    access: 'ميزانية كل حملة وحالتها وأداؤها اليومي.',
  },
  adGroups: {
    title: 'المجموعات الإعلانية',
    access: 'عروض الأسعار والأهداف والتكلفة اليومية لكل مجموعة إعلانية.',
  },
  ads: {
    title: 'الإعلانات',
    access: 'روابط كل إعلان وفعاليته ومراجعة توافقه مع السياسات.',
  },
  campaignLabels: {
    title: 'تصنيفات الحملات',
    access: 'تصنيفات كل حملة.',
  },
  adGroupLabels: {
    title: 'تصنيفات المجموعات الإعلانية',
    access: 'تصنيفات كل مجموعة إعلانية.',
  },
  adLabels: {
    title: 'تصنيفات الإعلانات',
    access: 'تصنيفات كل إعلان.',
  },
  labels: {
    title: 'التصنيفات',
    access: 'تصنيفات جديدة للحملات والمجموعات الإعلانية والإعلانات.',
  },
} satisfies Translation<typeof en>;
