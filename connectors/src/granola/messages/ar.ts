import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Arabic. */
export const ar = {
  description: 'ملاحظات الاجتماعات والنصوص المفرّغة',
  category: 'الاجتماعات',
  reads: ['ملاحظات الاجتماعات', 'الحضور', 'النصوص المفرّغة'],
  apiKey: {
    title: 'مفتاح API',
    description: 'أنشئ مفتاحًا في Granola ضمن Settings → API. يتطلب ذلك خطة Business أو Enterprise.',
    instead: 'استخدام مفتاح API بدلًا من ذلك',
    steps: [
      'افتح تطبيق Granola وانتقل إلى Settings → API.',
      'أنشئ مفتاحًا. اختر ما إذا كان سيقرأ ملاحظاتك أنت أو ملاحظات مساحة العمل.',
      'انسخ المفتاح والصقه هنا.',
    ],
    who: 'أي شخص ضمن خطة Business أو Enterprise. لمساحة العمل بأكملها، مسؤول.',
    hint: 'يبدأ بـ \u2066grn_\u2069',
    missing: 'الصق مفتاح API',
    tooLong: 'مفتاح API طويل جدًا',
    characters: 'لا يمكن أن يحتوي مفتاح API على مسافات أو أحرف خاصة',
  },
  notes: {
    title: 'ملاحظات الاجتماعات',
    access: 'عناوين اجتماعاتك وملخصاتها وحضورها ونصوصها المفرّغة.',
  },
} satisfies Translation<typeof en>;
