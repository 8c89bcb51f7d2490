import type { Messages } from './messages.ts';

const number = (value: number): string => value.toLocaleString('ar', { maximumFractionDigits: 20 });

/**
 * Isolates the direction of a name from that of the sentence. A sentence must not begin with a name, because
 * `dir="auto"` would take the direction from the name.
 */
const name = (text: string): string => `\u2068${text}\u2069`;

type PluralForms = Readonly<Record<'one' | 'two' | 'few' | 'many' | 'other', string>>;

/**
 * Returns a count with its noun. Arabic has five plural forms besides zero. The forms for one and two include
 * no digit.
 */
function plural(count: number, forms: PluralForms): string {
  const rule = new Intl.PluralRules('ar').select(count);
  if (rule === 'one' || rule === 'two') return forms[rule];
  return `${number(count)} ${forms[rule === 'zero' ? 'other' : rule]}`;
}

/** Arabic. */
export const messages: Messages = {
  language: 'ar',
  direction: 'rtl',

  catalogTitle: 'ربط مصدر بيانات',
  catalogLead: 'اختر المكان الذي توجد فيه بياناتك.',
  searchLabel: 'البحث في المصادر',
  clearSearch: 'مسح البحث',
  connectedHeading: 'اتصالاتك',
  availableHeading: 'المصادر المتاحة',
  otherSources: 'مصادر أخرى',
  beta: 'تجريبي',
  addAnother: 'إضافة آخر',
  loadingSources: 'جارٍ تحميل المصادر',
  sourcesFound: count =>
    count === 0
      ? 'لا توجد مصادر'
      : plural(count, { one: 'مصدر واحد', two: 'مصدران', few: 'مصادر', many: 'مصدرًا', other: 'مصدر' }),
  noMatchTitle: query => `لا يوجد مصدر يطابق «${name(query)}»`,
  noMatchHint: 'تحقق من الكتابة أو جرّب كلمة أقصر.',
  request: query => `طلب «${name(query)}»`,
  requested: query => `لقد طلبت «${name(query)}».`,
  emptyTitle: 'لا توجد مصادر بعد',
  emptyHint: 'تظهر المصادر هنا بعد تفعيلها لك.',
  emptyHintBy: integrator => `تظهر المصادر هنا بعد أن يفعّلها ${name(integrator)}.`,

  statusActive: 'مرتبط',
  statusNeedsReauth: 'انتهت صلاحية الدخول',
  statusPaused: 'متوقف مؤقتًا',
  statusPartlyFailing: 'فشل جزئي',
  statusFailing: 'فشلت المزامنة',
  statusSyncing: 'جارٍ المزامنة',
  statusLimited: 'أوقفه مزوّد البيانات مؤقتًا',
  manage: 'إدارة',

  back: 'رجوع',
  cancel: 'إلغاء',
  close: 'إغلاق',
  retry: 'إعادة المحاولة',
  opening: source => `جارٍ فتح ${name(source)}`,

  methodTitle: source => `كيف تريد ربط ${name(source)}؟`,
  noMethodTitle: source => `لا يتوفر ${name(source)} بعد`,
  noMethodHint: 'تواصل مع الدعم لمعرفة المزيد.',

  formTitle: source => `ربط ${name(source)}`,
  nameLabel: 'اسم الاتصال',
  nameHint: 'يساعدك على التمييز بين اتصالاتك.',
  optional: 'اختياري',
  chooseOption: 'اختر…',
  show: label => `إظهار ${name(label)}`,
  hide: label => `إخفاء ${name(label)}`,
  helpLink: 'أين أجد هذا؟',
  opensInNewTab: 'يُفتح في علامة تبويب جديدة',
  connect: 'ربط',
  connecting: 'جارٍ الربط…',
  checking: source => `جارٍ التحقق من بياناتك لدى ${name(source)}`,
  trust: 'بياناتك مشفّرة ولا تُعرض مرة أخرى.',
  trustSignIn: source => `تسجّل الدخول لدى ${name(source)}. نحن لا نرى كلمة مرورك أبدًا.`,
  trustBy: integrator => `مشفّر. لن يعرض ${name(integrator)} مفتاحك مرة أخرى.`,
  trustSignInBy: (source, integrator) =>
    `تسجّل الدخول لدى ${name(source)}. لا يرى ${name(integrator)} كلمة مرورك أبدًا.`,
  issuesFound: count =>
    `يُرجى مراجعة ${plural(count, { one: 'حقل واحد', two: 'حقلين', few: 'حقول', many: 'حقلًا', other: 'حقل' })}`,
  notConnected: 'تعذّر الربط',

  missing: label => `أدخل ${name(label)}`,
  pattern: label => `تحقق من قيمة ${name(label)}`,
  number: label => `أدخل رقمًا في ${name(label)}`,
  integer: label => `أدخل رقمًا صحيحًا في ${name(label)}`,
  tooShort: limit => `الحد الأدنى لعدد الأحرف: ${number(limit)}`,
  tooLong: limit => `الحد الأقصى لعدد الأحرف: ${number(limit)}`,
  tooSmall: limit => `أدخل ${number(limit)} أو أكثر`,
  tooLarge: limit => `أدخل ${number(limit)} أو أقل`,

  advanced: 'إعدادات متقدمة',

  waitingTitle: source => `تابع في نافذة ${name(source)}`,
  waitingHint: 'سجّل الدخول واسمح بالوصول هناك. ستُحدَّث هذه الصفحة تلقائيًا عند الانتهاء.',
  reopen: source => `إعادة فتح نافذة ${name(source)}`,
  blockedTitle: source => `افتح ${name(source)} للمتابعة`,
  blockedHint: 'حظر متصفحك النافذة المنبثقة.',
  leavingTitle: source => `جارٍ نقلك إلى ${name(source)}`,
  leavingHint: 'ستعود إلى هنا بعد ذلك.',
  openVendor: source => `فتح ${name(source)}`,
  deniedTitle: 'لم تسمح بالوصول. لم يُحفظ أي شيء.',
  expiredTitle: 'انتهت مهلة تسجيل الدخول',
  expiredHint: 'ابدأ من جديد عندما تكون مستعدًا.',

  replaceTitle: source => `سجّلت الدخول إلى حساب آخر في ${name(source)}`,
  replaceHint: 'يؤدي تبديل الحساب إلى حذف البيانات المستوردة من الحساب السابق.',
  replace: 'تبديل الحساب',

  connectedTitle: source => `تم ربط ${name(source)}`,
  connectedHint: 'نستورد بياناتك الآن. يمكنك مغادرة هذه الصفحة.',
  done: 'تم',

  connectedSince: date => `تم الربط في ${date}`,
  activeHint: 'هذا الاتصال يعمل.',
  needsReauthHint: source => `انتهت صلاحية دخولك إلى ${name(source)}. أعد الربط لاستئناف المزامنة.`,
  pausedHint: 'هذا الربط متوقف مؤقتًا. تواصل مع الدعم لاستئنافه.',
  pausedHintBy: integrator =>
    `أوقف ${name(integrator)} هذا الربط مؤقتًا. تواصل مع دعم ${name(integrator)} لاستئنافه.`,
  rename: 'إعادة التسمية',
  save: 'حفظ',
  reconnect: 'إعادة الربط',
  syncBuilding: 'جارٍ الاستيراد',
  syncPreview: 'البيانات الحديثة جاهزة. جارٍ استيراد الباقي…',
  syncReady: 'محدَّث',
  records: count =>
    count === 0
      ? 'لا توجد سجلات'
      : plural(count, { one: 'سجل واحد', two: 'سجلان', few: 'سجلات', many: 'سجلًا', other: 'سجل' }),
  disconnect: 'قطع الاتصال',
  disconnectTitle: source => `هل تريد قطع الاتصال مع ${name(source)}؟`,
  disconnectHint: 'سنحذف بيانات الاعتماد المحفوظة وكل البيانات المستوردة. لا يمكن التراجع عن ذلك.',
  disconnecting: 'جارٍ قطع الاتصال…',
  disconnected: source => `تم قطع الاتصال مع ${name(source)}`,

  unreachableTitle: 'تعذّر الوصول إلى الخدمة',
  unreachableHint: 'تحقق من اتصالك بالإنترنت ثم أعد المحاولة.',
  busyTitle: 'طلبات كثيرة جدًا',
  busyHint: 'أعد المحاولة بعد دقيقة.',
  sessionTitle: 'انتهت جلستك',
  sessionHint: 'سجّل الدخول من جديد ثم عُد إلى هذه الصفحة.',
  vendorTitle: source => `لا يستجيب ${name(source)}`,
  vendorHint: 'قد تكون البيانات التي أدخلتها صحيحة. أعد المحاولة بعد بضع دقائق.',
  forbiddenTitle: 'ليس لديك حق الوصول',
  forbiddenHint: 'تواصل مع الدعم إذا كنت تحتاج إلى الوصول.',
  frozenHint: 'أوقفنا التغييرات على عمليات الربط مؤقتًا. أعد المحاولة لاحقًا.',
  limitTitle: 'لقد بلغت الحد الأقصى',
  limitHint: 'افصل مصدرًا لم تعد تستخدمه، ثم أعد المحاولة.',
  brokenTitle: 'حدث خطأ ما',
  brokenHint: 'أعد المحاولة بعد لحظات.',
  setupTitle: 'لم تُجهَّز هذه الميزة بعد',
  setupHint: 'تواصل مع الدعم.',
  contactSupport: integrator => (integrator ? `التواصل مع دعم ${name(integrator)}` : 'التواصل مع الدعم'),
  reference: id => `الرقم المرجعي: ${name(id)}`,
};
