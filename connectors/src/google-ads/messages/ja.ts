import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Japanese. */
export const ja = {
  description: '検索広告のアカウント、キャンペーン、広告、ラベル',
  category: '広告',
  reads: ['キャンペーン', '広告', '日別の掲載結果'],
  changes: ['キャンペーン', '広告グループ', 'ラベル'],
  consentSays: '編集',
  signIn: {
    title: 'Googleでサインイン',
    description: 'Google AdsアカウントにアクセスできるGoogleアカウントを選んでください。',
    instead: '代わりにGoogleでサインイン',
  },
  ownClient: {
    title: 'サインイン用アプリと開発者トークン',
    description:
      'Google Cloudコンソールで作成したご自身のサインイン用アプリ、スコープ https://www.googleapis.com/auth/adwords のリフレッシュトークン、Google AdsのMCCアカウントのAPIセンターで取得した開発者トークンを使います。',
    instead: '代わりにご自身のサインイン用アプリを使う',
    steps: [
      'Google Cloudコンソールで「APIとサービス」→「認証情報」を開き、サインイン用アプリ（「OAuth 2.0 クライアントID」）のクライアントIDとクライアントシークレットをコピーします。',
      'そのアプリで、スコープ https://www.googleapis.com/auth/adwords のリフレッシュトークンを取得します。',
      'Google AdsのMCCアカウントで「管理者」→「APIセンター」を開き、開発者トークンをコピーします。',
      '4つの値をすべてここに貼り付けます。',
    ],
    who: 'Google CloudプロジェクトとGoogle AdsのMCCアカウントにアクセスできる開発者。',
    clientId: {
      title: 'クライアントID',
      hint: 'Google Cloudコンソール →「APIとサービス」→「認証情報」',
      missing: 'クライアントIDを貼り付けてください',
      tooLong: 'クライアントIDが長すぎます',
      characters: 'クライアントIDにスペースや特殊文字は使えません',
    },
    clientSecret: {
      title: 'クライアントシークレット',
      hint: 'クライアントIDの横に表示されます',
      missing: 'クライアントシークレットを貼り付けてください',
      tooLong: 'クライアントシークレットが長すぎます',
      characters: 'クライアントシークレットにスペースや特殊文字は使えません',
      rejected: 'このクライアントIDとクライアントシークレットはGoogleで受け付けられませんでした',
    },
    refreshToken: {
      title: 'リフレッシュトークン',
      hint: 'Googleユーザーが同意すると、オフラインアクセス用に発行されます',
      missing: 'リフレッシュトークンを貼り付けてください',
      tooLong: 'リフレッシュトークンが長すぎます',
      characters: 'リフレッシュトークンにスペースや特殊文字は使えません',
      rejected:
        'このリフレッシュトークンはGoogleで使えなくなりました。取り消されたか、有効期限が切れたか、6か月間使われていません。',
    },
    developerToken: {
      title: '開発者トークン',
      hint: 'Google AdsのMCCアカウント →「管理者」→「APIセンター」（22文字）',
      missing: '開発者トークンを貼り付けてください',
      tooLong: '開発者トークンが長すぎます',
      characters: '開発者トークンにスペースや特殊文字は使えません',
    },
  },
  customerIds: {
    title: 'お客様ID',
    hint: '同期するGoogle Adsアカウント。空欄の場合は、アクセスできるすべてのアカウントを同期します。',
    digits: 'お客様IDはハイフンなしの10桁の数字です',
    none: 'お客様IDを1つ以上入力してください',
    tooMany: 'お客様IDは2,000件以内で入力してください',
  },
  startDate: {
    title: '開始日',
    hint: '指標の同期を始める日。空欄の場合は、2年前から同期します。',
    format: 'YYYY-MM-DDの形式で入力してください',
  },
  account: {
    manager: 'MCCアカウント',
    client: 'クライアントアカウント',
    test: 'テストアカウント',
    isManager: 'MCCアカウント自体にはキャンペーンがありません',
    canceled: 'このアカウントは解約されています',
    suspended: 'このアカウントはGoogleによって停止されています',
    closed: 'このアカウントは閉鎖されています',
    notEnabled: 'このアカウントは解約されているか、設定が完了していません',
    noAccess: 'このアカウントへのアクセス権がありません',
  },
  accessibleCustomers: {
    title: 'アクセスできるアカウント',
    access: '直接開くことができるアカウント',
  },
  accounts: {
    title: 'アカウント',
    access: '各アカウントの名前、通貨、タイムゾーン、設定',
  },
  campaigns: {
    title: 'キャンペーン',
    access: '各キャンペーンの予算、ステータス、日別の掲載結果',
  },
  adGroups: {
    title: '広告グループ',
    access: '各広告グループの入札単価、目標値、日別の費用',
  },
  ads: {
    title: '広告',
    access: '各広告のリンク、広告の有効性、ポリシー審査の結果',
  },
  campaignLabels: {
    title: 'キャンペーンのラベル',
    access: '各キャンペーンに付いているラベル',
  },
  adGroupLabels: {
    title: '広告グループのラベル',
    access: '各広告グループに付いているラベル',
  },
  adLabels: {
    title: '広告のラベル',
    access: '各広告に付いているラベル',
  },
  labels: {
    title: 'ラベル',
    access: 'キャンペーン、広告グループ、広告に付ける新しいラベル',
  },
} satisfies Translation<typeof en>;
