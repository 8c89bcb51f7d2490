import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Japanese. */
export const ja = {
  description: '商談の参加者、録画・録音、トピック、文字起こし',
  category: '商談',
  reads: ['通話', '参加者', '文字起こし', 'ユーザー'],
  signIn: {
    title: 'Gongでサインイン',
    description: 'Gongの技術管理者がサインインし、会社全体のアクセスを許可します。',
    instead: '代わりにGongでサインイン',
  },
  accessKey: {
    title: 'アクセスキー',
    description: 'Gongの技術管理者が「Admin\u00a0center → Settings → Ecosystem → API」でキーを作成します。',
    instead: '代わりにアクセスキーを使う',
    steps: [
      'Gongで「Admin\u00a0center → Settings」を開き、「Ecosystem」の「API」を選びます。',
      '「Get API key」を選び、キーに名前を付けます。IPアドレスで制限する場合は、許可するアドレスをサポートにお問い合わせください。',
      'アクセスキーとシークレットをコピーします。シークレットは一度しか表示されません。',
      '両方をここに貼り付けます。',
    ],
    who: 'Gongの技術管理者（プランは問いません）。',
    key: {
      hint: 'キーの作成時に表示されます',
      missing: 'アクセスキーを貼り付けてください',
      tooLong: 'アクセスキーが長すぎます',
      characters: 'アクセスキーにスペースや特殊文字は使えません',
    },
    secret: {
      title: 'アクセスキーのシークレット',
      hint: 'アクセスキーの横に一度だけ表示されます',
      missing: 'アクセスキーのシークレットを貼り付けてください',
      tooLong: 'アクセスキーのシークレットが長すぎます',
      characters: 'アクセスキーのシークレットにスペースや特殊文字は使えません',
    },
  },
  workspaces: {
    title: 'ワークスペース',
    hint: '通話を同期するワークスペースのID。空欄の場合は、すべてのワークスペースを同期します。ユーザーは会社全体で共通です。',
    notAList: 'ワークスペースIDのリストを入力してください',
    none: 'ワークスペースIDを1つ以上入力してください',
    tooMany: 'ワークスペースIDは2,000件以内で入力してください',
  },
  users: {
    title: 'ユーザー',
    access: '社内のユーザーの名前、メールアドレス、上司',
  },
  calls: {
    title: '通話',
    access: '録画・録音された通話のタイトル、日時、担当者',
  },
  callDetails: {
    title: '通話の詳細',
    access: '各通話の参加者、トピック、トラッカー、コメント',
  },
  callTranscripts: {
    title: '通話の文字起こし',
    access: '各通話の発言内容（話者別）',
  },
} satisfies Translation<typeof en>;
