import type { Translation } from '../words.ts';
import type { en } from './en.ts';

/** Japanese. */
export const ja = {
  rejected: '{source}で受け付けられませんでした。入力に漏れがないか、有効なものかを確認してください。',
  rejectedBecause: '{source}で受け付けられませんでした：「{reason}」',
  nothingToPaste: '{source}には貼り付ける認証情報がありません。代わりにサインインしてください。',
  denied: '{source}：アクセスが拒否されました',
  interrupted: 'サインインが中断されました。もう一度やり直してください。',
} satisfies Translation<typeof en>;
