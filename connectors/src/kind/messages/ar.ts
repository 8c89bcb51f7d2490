import type { Translation } from '../words.ts';
import type { en } from './en.ts';

/** Arabic. */
export const ar = {
  rejected: 'لم يقبل \u2068{source}\u2069 هذه القيمة. تحقق من أنها كاملة وسارية.',
  rejectedBecause: 'لم يقبل \u2068{source}\u2069 هذه القيمة: \u2068{reason}\u2069',
  nothingToPaste: 'لا يحتاج \u2068{source}\u2069 إلى لصق بيانات اعتماد. سجّل الدخول بدلًا من ذلك.',
  denied: '\u2068{source}\u2069: رُفض الوصول',
  interrupted: 'انقطع تسجيل الدخول. ابدأ من جديد.',
} satisfies Translation<typeof en>;
