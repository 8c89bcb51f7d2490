import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Japanese. */
export const ja = {
  description: '会議メモと文字起こし',
  category: '会議',
  reads: ['会議メモ', '参加者', '文字起こし'],
  apiKey: {
    title: 'APIキー',
    description:
      'Granolaの「Settings → API」でキーを作成してください。BusinessプランまたはEnterpriseプランが必要です。',
    instead: '代わりにAPIキーを使う',
    steps: [
      'Granolaアプリを開き、「Settings → API」に進みます。',
      'キーを作成します。自分のメモを読み取るか、ワークスペースのメモを読み取るかを選びます。',
      'キーをコピーして、ここに貼り付けます。',
    ],
    who: 'BusinessプランまたはEnterpriseプランをご利用の方。ワークスペース全体のキーは管理者。',
    hint: 'grn_で始まります',
    missing: 'APIキーを貼り付けてください',
    tooLong: 'APIキーが長すぎます',
    characters: 'APIキーにスペースや特殊文字は使えません',
  },
  notes: {
    title: '会議メモ',
    access: '会議のタイトル、要約、参加者、文字起こし',
  },
} satisfies Translation<typeof en>;
