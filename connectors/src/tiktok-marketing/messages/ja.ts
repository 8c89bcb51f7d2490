import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Japanese. */
export const ja = {
  description: 'キャンペーン、広告、オーディエンス、クリエイティブ、日別レポート',
  category: '広告',
  reads: ['キャンペーン', '広告', 'オーディエンス', '日別レポート'],
  signIn: {
    title: 'TikTokでサインイン',
    description: 'TikTok for Businessで共有する広告アカウントを選んでください。',
    instead: '代わりにTikTokでサインイン',
  },
  accessToken: {
    title: 'アクセストークン',
    description:
      'TikTok API for Businessアプリの長期アクセストークン。広告主がアプリを承認すると、TikTokから発行されます。',
    instead: '代わりにアクセストークンを使う',
    steps: [
      'TikTok API for Businessで「My Apps」を開き、アプリを選びます。',
      'アプリの承認リンクを開いてサインインし、共有する広告アカウントを選びます。',
      '認可コードとともにアプリにリダイレクトされます。そのコードをアクセストークンと交換します。',
      'アクセストークンをここに貼り付けます。ご自身またはアプリが取り消すまで有効です。',
    ],
    who: 'TikTok API for Businessアプリの開発者。',
    hint: '認可コードと引き換えに、一度だけ返されます',
    missing: 'アクセストークンを貼り付けてください',
    tooLong: 'アクセストークンが長すぎます',
    characters: 'アクセストークンにスペースや特殊文字は使えません',
    appId: {
      title: 'アプリID',
      hint: 'トークンを発行したアプリのID。TikTokが広告アカウントを一覧するために使います',
      digits: 'アプリIDは数字だけで入力してください',
    },
    secret: {
      title: 'アプリのシークレット',
      hint: '「My Apps」にアプリIDとともに表示されます',
      both: 'アプリIDとシークレットは、両方入力するか、両方空欄にしてください',
      invalid: 'TikTokに表示されているとおりにシークレットを貼り付けてください',
      rejected: 'このアプリIDとシークレットは、このアクセストークンに対してTikTokで受け付けられませんでした',
    },
  },
  advertiserIds: {
    title: '広告主',
    hint: '同期するTikTok広告アカウントのID。アクセストークンの場合は、アプリIDとシークレットを入力しない限り必要です。サインインした場合は、空欄にすると共有したすべてのアカウントを同期します。',
    unknown:
      '同期する広告アカウントのID、またはアクセストークンのアプリIDとシークレットを入力してください。どちらもないと、TikTokは広告アカウントを一覧しません。',
    notAList: '広告主IDのリストを入力してください',
    digits: '広告主IDは数字だけで入力してください',
    none: '広告主IDを1つ以上入力してください',
    tooMany: '広告主IDは2,000件以内で入力してください',
  },
  startDate: {
    title: '開始日',
    hint: 'レポートの同期を始める日。空欄の場合は、各広告アカウントの作成日から同期します。',
    format: 'YYYY-MM-DDの形式で入力してください',
  },
  account: {
    limited: 'TikTokが広告を制限中（データは同期されます）',
    inReview: 'TikTokが審査中（データは同期されます）',
    reviewFailed: '審査不承認',
    disabled: 'この広告アカウントはTikTokによって無効にされています',
    noAccess: 'この広告アカウントへのアクセス権がありません',
  },
  advertisers: {
    title: '広告アカウント',
    access: '各広告アカウントの名前、ステータス、通貨、残高',
  },
  campaigns: {
    title: 'キャンペーン',
    access: '各キャンペーンの目的、予算、ステータス',
  },
  adGroups: {
    title: '広告グループ',
    access: '各広告グループのオーディエンス、配置、スケジュール、入札額',
  },
  ads: {
    title: '広告',
    access: '各広告のクリエイティブ、テキスト、ランディングページ',
  },
  audiences: {
    title: 'オーディエンス',
    access: 'カスタムオーディエンスと類似オーディエンス（含まれる個人の情報は除く）',
  },
  images: {
    title: '画像',
    access: 'クリエイティブライブラリの画像',
  },
  videos: {
    title: '動画',
    access: 'クリエイティブライブラリの動画',
  },
  advertiserReports: {
    title: 'アカウントの日別レポート',
    access: '各広告アカウントの日別の消化金額、インプレッション数、クリック数',
  },
  campaignReports: {
    title: 'キャンペーンの日別レポート',
    access: '各キャンペーンの日別の消化金額、インプレッション数、クリック数',
  },
  adGroupReports: {
    title: '広告グループの日別レポート',
    access: '各広告グループの日別の消化金額、インプレッション数、コンバージョン数',
  },
  adReports: {
    title: '広告の日別レポート',
    access: '各広告の日別の消化金額、インプレッション数、コンバージョン数',
  },
} satisfies Translation<typeof en>;
