import type { Messages } from './messages.ts';

const number = (value: number): string => value.toLocaleString('ar', { maximumFractionDigits: 20 });

/** A name from elsewhere, kept from mixing its direction with that of the sentence. */
const name = (text: string): string => `\u2068${text}\u2069`;

/** A count with its noun: Arabic has five forms beside nought; one and two are said without a digit. */
function plural(count: number, one: string, two: string, few: string, many: string, other: string): string {
  const form = new Intl.PluralRules('ar').select(count);
  if (form === 'one') return one;
  if (form === 'two') return two;
  return `${number(count)} ${form === 'few' ? few : form === 'many' ? many : other}`;
}

/** Arabic. */
export const messages: Messages = {
  language: 'ar',
  direction: 'rtl',

  catalogTitle: 'ربط مصدر بيانات',
  catalogLead: 'اختر المكان الذي توجد فيه بياناتك.',
  searchLabel: 'البحث في المصادر',
  clearSearch: 'مسح البحث',
  connectedHeading: 'المصادر المرتبطة',
  availableHeading: 'المصادر المتاحة',
  certified: 'معتمد',
  loadingSources: 'جارٍ تحميل المصادر',
  sourcesFound: count =>
    count === 0 ? 'لا توجد مصادر' : plural(count, 'مصدر واحد', 'مصدران', 'مصادر', 'مصدرًا', 'مصدر'),
  noMatchTitle: query => `لا يوجد مصدر يطابق «${name(query)}»`,
  noMatchHint: 'تحقق من الكتابة أو جرّب كلمة أقصر.',
  emptyTitle: 'لا توجد مصادر بعد',
  emptyHint: 'ستظهر هنا فور إتاحتها لك.',

  statusActive: 'مرتبط',
  statusNeedsReauth: 'يحتاج إلى انتباهك',
  manage: 'إدارة',

  back: 'رجوع',
  cancel: 'إلغاء',
  close: 'إغلاق',
  retry: 'إعادة المحاولة',
  opening: source => `جارٍ فتح ${name(source)}`,

  methodTitle: source => `كيف تريد ربط ${name(source)}؟`,
  noMethodTitle: source => `لا يمكن ربط ${name(source)} هنا بعد`,
  noMethodHint: 'يُرجى سؤال القائمين على هذه الصفحة.',

  formTitle: source => `ربط ${name(source)}`,
  nameLabel: 'اسم هذا الاتصال',
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
  trust: 'يُحفظ مشفّرًا ولا يُعرض مرة أخرى.',
  issuesFound: count => `يُرجى مراجعة ${plural(count, 'حقل واحد', 'حقلين', 'حقول', 'حقلًا', 'حقل')}`,
  notConnected: 'لم يتم الربط',

  missing: label => `أدخل ${name(label)}`,
  pattern: label => `${name(label)}: القيمة لا تبدو صحيحة`,
  number: label => `${name(label)}: أدخل رقمًا`,
  integer: label => `${name(label)}: أدخل رقمًا صحيحًا`,
  tooShort: limit => `الحد الأدنى لعدد الأحرف: ${number(limit)}`,
  tooLong: limit => `الحد الأقصى لعدد الأحرف: ${number(limit)}`,
  tooSmall: limit => `أدخل ${number(limit)} أو أكثر`,
  tooLarge: limit => `أدخل ${number(limit)} أو أقل`,

  advanced: 'إعدادات متقدمة',

  waitingTitle: source => `تابع في نافذة ${name(source)}`,
  waitingHint: 'سجّل الدخول واسمح بالوصول هناك، وستتابع هذه الصفحة تلقائيًا.',
  reopen: 'فتح النافذة مرة أخرى',
  blockedTitle: source => `افتح ${name(source)} للمتابعة`,
  blockedHint: 'حجب متصفحك النافذة.',
  leavingTitle: source => `جارٍ نقلك إلى ${name(source)}`,
  leavingHint: 'ستعود إلى هنا بعد ذلك.',
  openVendor: source => `فتح ${name(source)}`,
  deniedTitle: 'لم يُسمح بالوصول',
  expiredTitle: 'استغرق تسجيل الدخول وقتًا طويلًا',
  expiredHint: 'يُرجى البدء من جديد.',

  replaceTitle: source => `هذا حساب آخر في ${name(source)}`,
  replaceHint: 'إذا انتقلت إليه فستُحذف البيانات المنسوخة من الحساب السابق.',
  replace: 'الانتقال',

  connectedTitle: source => `تم ربط ${name(source)}`,
  connectedHint: 'يمكنك المتابعة أو ربط مصدر آخر.',
  done: 'تم',

  connectedSince: date => `تم الربط في ${date}`,
  activeHint: 'كل شيء يعمل.',
  needsReauthHint: 'لم يعد المصدر يقبل بيانات الدخول المحفوظة.',
  rename: 'إعادة التسمية',
  save: 'حفظ',
  reconnect: 'إعادة الربط',
  syncBuilding: 'جارٍ نسخ البيانات',
  syncPreview: 'يمكن استخدام البيانات الأولى، ويجري نسخ الباقي',
  syncReady: 'نُسخت كل البيانات',
  records: count =>
    count === 0 ? 'لا توجد سجلات' : plural(count, 'سجل واحد', 'سجلان', 'سجلات', 'سجلًا', 'سجل'),
  disconnect: 'قطع الاتصال',
  disconnectTitle: source => `هل تريد قطع الاتصال مع ${name(source)}؟`,
  disconnectHint: 'ستُحذف بيانات الدخول المحفوظة والبيانات المنسوخة من هناك.',
  keep: 'الإبقاء عليه',
  disconnecting: 'جارٍ قطع الاتصال…',
  disconnected: source => `تم قطع الاتصال مع ${name(source)}`,

  unreachableTitle: 'تعذّر الوصول إلى الخدمة',
  unreachableHint: 'تحقق من اتصالك بالإنترنت ثم أعد المحاولة.',
  busyTitle: 'لحظة من فضلك',
  busyHint: 'انتظر قليلًا ثم أعد المحاولة.',
  sessionTitle: 'تعذّر تجديد جلستك',
  sessionHint: 'أعد المحاولة، أو سجّل الدخول من جديد ثم عُد.',
  vendorTitle: 'المصدر لا يستجيب',
  vendorHint: 'قد يكون ما أدخلته صحيحًا. أعد المحاولة بعد بضع دقائق.',
  forbiddenTitle: 'هذا غير متاح لك',
  forbiddenHint: 'يُرجى سؤال القائمين على هذه الصفحة.',
  brokenTitle: 'حدث خطأ ما',
  brokenHint: 'أعد المحاولة بعد لحظات.',
  setupTitle: 'لم يُجهَّز هذا الجزء من الصفحة بعد',
  setupHint: 'يُرجى سؤال القائمين على هذه الصفحة.',
  reference: id => `الرقم المرجعي: ${name(id)}`,
};
