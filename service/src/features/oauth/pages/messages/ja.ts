import type { Messages } from './messages.ts';

export const ja: Messages = {
  confirmTitle: '{vendor} を接続しますか？',
  confirm: '{integrator}（{site}）が {vendor} のデータへのアクセスを求めています。',
  confirmAnywhere: '{integrator} が {vendor} のデータへのアクセスを求めています。',
  forCustomer: '{customer} 用',
  confirmWarning:
    'ご自身で開始した場合にのみ続行してください。誰かからリンクが送られてきた場合は、このウィンドウを閉じてください。',
  continue: '{vendor} に進む',
  leavingTitle: '{vendor} に移動しています',
  completedTitle: 'アクセスが許可されました',
  completed: '{integrator} が {vendor} に接続しています。',
  deniedTitle: '接続されていません',
  denied: '{vendor} へのアクセスが許可されませんでした。何も保存されていません。',
  failedTitle: '{vendor} を接続できませんでした',
  failed: '何も保存されていません。もう一度お試しください。',
  expiredTitle: 'サインインの制限時間を過ぎました',
  expired:
    '{vendor} を接続するリクエストの有効期限が切れました。何も保存されていません。準備ができたら、最初からやり直してください。',
  usedTitle: 'このリンクは使用済みです',
  used: '{vendor} を接続するリンクは 1 回だけ使用できます。最初からやり直して、新しいリンクを取得してください。',
  unknownTitle: 'このリンクは無効か、有効期限が切れています',
  unknown: '最初からやり直して、新しいリンクを取得してください。',
  elsewhereTitle: '別のブラウザーで開始されました',
  elsewhere: '安全のため、接続は行われませんでした。このブラウザーで最初からやり直してください。',
  close: 'このウィンドウは閉じてかまいません。',
  back: '{site} に戻る',
};
