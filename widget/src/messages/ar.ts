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

const accounts = (count: number): string =>
  plural(count, { one: 'حساب واحد', two: 'حسابين', few: 'حسابات', many: 'حسابًا', other: 'حساب' });

/** The intervals after `كل`, without a digit for one and two. */
const intervals: Readonly<Record<'minute' | 'hour' | 'day', PluralForms>> = {
  minute: { one: 'دقيقة', two: 'دقيقتين', few: 'دقائق', many: 'دقيقة', other: 'دقيقة' },
  hour: { one: 'ساعة', two: 'ساعتين', few: 'ساعات', many: 'ساعة', other: 'ساعة' },
  day: { one: 'يوم', two: 'يومين', few: 'أيام', many: 'يومًا', other: 'يوم' },
};

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
  requestSent: 'أُرسل الطلب',
  requested: query => `لقد طلبت «${name(query)}».`,
  emptyTitle: 'لا توجد مصادر بعد',
  emptyHint: 'تظهر المصادر هنا بعد تفعيلها لك.',
  emptyHintBy: integrator => `اطلب من ${name(integrator)} تفعيل المصادر التي تحتاجها.`,

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

  noMethodTitle: source => `لا يتوفر ${name(source)} بعد`,
  noMethodHint: 'تواصل مع الدعم لمعرفة المزيد.',
  noMethodHintBy: integrator => `تواصل مع ${name(integrator)} لمعرفة المزيد.`,

  notOpened: source => `تعذّر فتح ${name(source)}`,
  chooseMethod: source => `كيف تريد ربط ${name(source)}؟`,
  formTitle: source => `ربط ${name(source)}`,
  formTitleBy: (source, integrator) => `ربط ${name(source)} مع ${name(integrator)}`,
  reconnectTitle: connection => `إعادة ربط ${name(connection)}`,
  signInExpired: 'انتهت صلاحية دخولك. تبقى بياناتك المستوردة محفوظة.',
  reads: things => `يقرأ ${name(things)}`,
  neverChanges: things => `لا يغيّر ${things ? name(things) : 'بياناتك'} أبدًا`,
  mayChange: (things, integrator) =>
    integrator ? `يمكن لـ ${name(integrator)} تغيير ${name(things)}` : `يمكنه تغيير ${name(things)}`,
  syncs: (count, unit) => `يزامن كل ${plural(count, intervals[unit])}`,
  vendorSays: (source, words, integrator) =>
    `سيعرض ${name(source)} «${name(words)}». ${integrator ? `لا يقوم ${name(integrator)} إلا بالقراءة` : 'نحن نقرأ فقط'}.`,
  included: 'ما الذي يشمله الاتصال',
  guideTitle: 'كيف تحصل على مفتاحك',
  guideWho: 'من يمكنه ذلك',
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
  trust: 'مشفّر ولا يُعرض مرة أخرى.',
  trustSignIn: 'نحن لا نرى كلمة مرورك أبدًا.',
  trustSignInBy: integrator => `لا يرى ${name(integrator)} كلمة مرورك أبدًا.`,
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

  waitingTitle: source => `تابع في نافذة ${name(source)}`,
  waitingHint: 'سجّل الدخول واسمح بالوصول هناك. ستُحدَّث هذه الصفحة تلقائيًا عند الانتهاء.',
  lostWindow: 'ألا ترى النافذة؟',
  reopen: source => `إعادة فتح نافذة ${name(source)}`,
  reopenLate: 'هل أغلقت النافذة؟ افتحها من جديد',
  blockedTitle: source => `افتح ${name(source)} للمتابعة`,
  blockedHint: 'حظر متصفحك النافذة المنبثقة.',
  leavingTitle: source => `جارٍ نقلك إلى ${name(source)}`,
  leavingHint: 'ستعود إلى هنا بعد ذلك.',
  openVendor: source => `فتح ${name(source)}`,
  deniedTitle: 'لم تسمح بالوصول',
  refusedTitle: source => `لم يسمح ${name(source)} بالوصول`,
  signInAgain: 'تسجيل الدخول مرة أخرى',
  nothingSaved: 'لم يُحفظ أي شيء.',
  expiredTitle: 'انتهت مهلة تسجيل الدخول',
  expiredHint: 'ابدأ من جديد عندما تكون مستعدًا.',

  accountsTitle: source => `اختيار حسابات ${name(source)}`,
  accountsLead: 'لا تتم مزامنة سوى الحسابات التي تختارها.',
  allAccountsLead: 'تتم مزامنة كل الحسابات، بما فيها الجديدة.',
  loadingAccounts: source => `جارٍ تحميل حساباتك في ${name(source)}`,
  loadingAccountsHint: 'قد يستغرق ذلك دقيقة.',
  searchAccounts: 'البحث في الحسابات',
  selectAll: count => `تحديد الكل (${number(count)})`,
  accountsFound: accounts,
  noAccountMatch: query => `لا يوجد حساب يطابق «${name(query)}»`,
  syncAccounts: count => `مزامنة ${accounts(count)}`,
  syncAllAccounts: 'مزامنة كل الحسابات',
  chooseAccount: 'اختر حسابًا واحدًا على الأقل',
  saveChanges: 'حفظ التغييرات',
  removedAccounts: 'تُحذف بيانات الحسابات التي تزيلها.',
  accountsCost: 'قد تستغرق مزامنة هذا العدد من الحسابات وقتًا أطول.',
  accountsRequests: requests => `عدد الطلبات اليومية: نحو ${number(requests)}`,
  accountsCut: count => `لا يظهر سوى أول ${accounts(count)}. حدِّد الكل لمزامنة الحسابات الأخرى أيضًا.`,
  unlistedHint: 'ما زلت مسجّل الدخول. حاول مجددًا أو زامن كل الحسابات.',
  noAccountsTitle: 'لا توجد حسابات للمزامنة',
  noAccountsHint: source => `لا يتيح تسجيل دخولك إلى ${name(source)} الوصول إلى أي حساب.`,
  unavailableHint: source => `لا يتيح تسجيل دخولك إلى ${name(source)} سوى الوصول إلى حسابات لا يمكن مزامنتها.`,
  otherSignIn: 'استخدام تسجيل دخول آخر',
  options: 'خيارات',

  replaceTitle: source => `سجّلت الدخول إلى حساب آخر في ${name(source)}`,
  replaceHint: 'يؤدي التبديل إلى حذف بيانات الحساب الحالي واستيراد بيانات الجديد.',
  currentAccount: 'الحساب الحالي',
  newAccount: 'الحساب الجديد',
  keepAccount: 'الاحتفاظ بالحساب الحالي',
  sameAccountHint: 'استخدم الحساب الذي كان مرتبطًا من قبل.',
  replace: 'تبديل الحساب',

  linkOffer: 'لست مسؤولًا؟ أرسل رابطًا',
  linkToAdmin: 'إرسال رابط إلى المسؤول',
  linkOnlyLead: source => `يجب أن يقوم بذلك شخص في شركتك لديه وصول إلى ${name(source)}.`,
  linkTitle: source => `إرسال رابط لربط ${name(source)}`,
  linkLead: integrator =>
    `لاستخدامه، يجب أن يكون زميلك مسجّل الدخول إلى ${integrator ? name(integrator) : 'هذا التطبيق'}.`,
  creatingLink: 'جارٍ إنشاء الرابط…',
  copyLink: 'نسخ الرابط',
  linkCopied: 'تم نسخ الرابط',
  shareLink: 'مشاركة…',
  linkExpires: (day, time) => `يعمل مرة واحدة. تنتهي صلاحيته ${day} الساعة ${time}.`,
  linkWaiting: 'في انتظار زميلك.',
  leaveHint: 'يمكنك مغادرة هذه الصفحة.',
  linkOpened: source => `زميلك يربط ${name(source)} الآن`,
  cancelLink: 'إلغاء الرابط',
  linkCancelled: 'تم إلغاء الرابط',
  linkNotCancelled: 'تعذّر إلغاء الرابط',
  linkExpired: 'انتهت صلاحية الرابط',
  linkUsed: 'تم استخدام الرابط من قبل',
  linkOverHint: 'اطلب رابطًا جديدًا.',
  newLink: 'إنشاء رابط جديد',
  linkLimitHint: 'عدد الروابط المفتوحة كبير جدًا. أعد المحاولة بعد انتهاء صلاحية بعضها.',
  linksUnavailable: 'الروابط غير متاحة هنا',

  connectedTitle: source => `تم ربط ${name(source)}`,
  connectedHint: 'نستورد بياناتك الآن. يمكنك إغلاق هذه النافذة.',
  done: 'تم',
  connectedIdle: (integrator, source) =>
    `${integrator ? `يمكن لـ ${name(integrator)}` : 'يمكن لهذا التطبيق'} الآن قراءة بياناتك من ${name(source)}.`,
  another: 'ربط مصدر آخر',

  connectedSince: date => `تم الربط في ${date}`,
  activeHint: 'تُقرأ البيانات من المصدر عند الحاجة.',
  needsReauthHint: source => `أعد ربط ${name(source)} لاستئناف المزامنة. تبقى بياناتك المستوردة محفوظة.`,
  pausedHint: 'هذا الربط متوقف مؤقتًا. تواصل مع الدعم لاستئنافه.',
  pausedHintBy: integrator => `أوقف ${name(integrator)} هذا الربط مؤقتًا. تبقى بياناتك المستوردة محفوظة.`,
  rename: 'إعادة التسمية',
  save: 'حفظ',
  notSaved: 'تعذّر حفظ التغييرات',
  reconnect: 'إعادة الربط',
  syncBuilding: 'جارٍ الاستيراد',
  syncPreview: 'البيانات الحديثة جاهزة. جارٍ استيراد الباقي…',
  syncReady: 'محدَّث',
  syncWaiting: 'في الانتظار',
  syncRetrying: when => `إعادة المحاولة ${when}`,
  syncFailed: 'تعذّر الاستيراد',
  willRetry: 'ستُعاد المحاولة',
  records: count =>
    count === 0
      ? 'لا توجد سجلات'
      : plural(count, { one: 'سجل واحد', two: 'سجلان', few: 'سجلات', many: 'سجلًا', other: 'سجل' }),
  recordsSoFar: records => `${records} حتى الآن`,
  syncNow: 'المزامنة الآن',
  cannotSync: 'تتعذّر المزامنة الآن',
  nextSync: when => `المزامنة التالية ${when}`,
  synced: when => `تمت المزامنة ${when}`,
  notSynced: 'لم تتم المزامنة بعد',
  justNow: 'الآن',
  syncContinues: when => `تُستأنف المزامنة ${when}.`,
  failingHint: 'تبقى البيانات المستوردة متاحة.',
  vendorFails: source => `لا يستجيب ${name(source)}.`,
  vendorForbids: source => `لا يملك حسابك في ${name(source)} إذن القراءة. اطلبه من مسؤول ${name(source)}.`,
  setupFails: (integrator, source) => `يجب أن يُصلح ${name(integrator)} اتصاله مع ${name(source)}.`,
  limitedHint: source => `يحدّ ${name(source)} من كمية البيانات التي يمكن قراءتها في كل مرة.`,
  readOnly: 'للقراءة فقط',
  dataHeading: 'البيانات',
  accountsHeading: 'الحسابات',
  allAccounts: 'كل الحسابات',
  edit: 'تعديل',
  activityHeading: 'النشاط الأخير',
  earlierActivity: 'نشاط أقدم',
  actorYou: 'أنت',
  actorIntegrator: 'هذا التطبيق',
  actorSupport: 'الدعم',
  actorSync: 'تلقائي',
  didReconnect: 'إعادة ربط',
  didChange: 'تغيير الإعدادات',
  didRequestSync: 'طلب مزامنة',
  didResume: 'استئناف',
  didRenew: 'تجديد تسجيل الدخول',
  didSync: 'مزامنة',
  didCheck: 'فحص الاتصال',
  didRead: 'الوصول إلى البيانات',
  didWrite: 'تغيير البيانات',
  failed: 'فشل',
  disconnect: 'قطع الاتصال',
  disconnectTitle: source => `هل تريد قطع الاتصال مع ${name(source)}؟`,
  disconnectHint: records =>
    `سنحذف بيانات الاعتماد المحفوظة وكل البيانات المستوردة${records && ` (${records})`}. لا يمكن التراجع عن ذلك.`,
  disconnecting: 'جارٍ قطع الاتصال…',
  notDisconnected: 'تعذّر قطع الاتصال',
  disconnected: source => `تم قطع الاتصال مع ${name(source)}`,

  unreachableTitle: 'تعذّر الوصول إلى الخدمة',
  unreachableHint: 'تحقق من اتصالك بالإنترنت ثم أعد المحاولة.',
  busyTitle: 'الخدمة مشغولة حاليًا',
  busyAt: source => `${name(source)} مشغول حاليًا`,
  busyHint: 'أعد المحاولة بعد دقيقة.',
  retryLater: when => `أعد المحاولة ${when}.`,
  sessionTitle: 'انتهت جلستك',
  sessionHint: 'أعد تحميل الصفحة للمتابعة.',
  reload: 'إعادة تحميل الصفحة',
  vendorTitle: source => `لا يستجيب ${name(source)}`,
  vendorHint: 'لم يُفقد أي شيء. أعد المحاولة بعد بضع دقائق.',
  forbiddenTitle: 'ليس لديك حق الوصول',
  forbiddenHint: 'تواصل مع الدعم إذا كنت تحتاج إلى الوصول.',
  forbiddenHintBy: integrator => `تواصل مع ${name(integrator)} إذا كنت تحتاج إلى الوصول.`,
  frozenHint: 'أوقفنا التغييرات على عمليات الربط مؤقتًا. أعد المحاولة لاحقًا.',
  limitTitle: 'لقد بلغت الحد الأقصى',
  limitHint: 'افصل مصدرًا لم تعد تستخدمه، ثم أعد المحاولة.',
  brokenTitle: 'حدث خطأ ما',
  brokenHint: 'أعد المحاولة بعد لحظات.',
  setupTitle: 'لم تُجهَّز هذه الميزة بعد',
  setupHint: 'تواصل مع الدعم.',
  setupHintBy: integrator => `تواصل مع ${name(integrator)}.`,
  contactSupport: integrator => (integrator ? `التواصل مع دعم ${name(integrator)}` : 'التواصل مع الدعم'),
  reference: id => `الرقم المرجعي: ${name(id)}`,
};
