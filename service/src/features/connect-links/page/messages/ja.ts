import type { Messages } from './messages.ts';

export const ja: Messages = {
  opening: 'リンクを開いています',
  needsTitle: 'このページには JavaScript と Cookie が必要です',
  needs: 'ブラウザーの設定で有効にしてから、リンクをもう一度開いてください。',
  incompleteTitle: 'このリンクは不完全です',
  incomplete: '受け取ったリンクをもう一度開いてください。コピーした場合は、全体をコピーしてください。',
  unknownTitle: 'このリンクは無効です',
  unknown: '全体をコピーしたかどうかを確認するか、リンクの送信者に新しいリンクを依頼してください。',
  expiredTitle: 'このリンクの有効期限が切れています',
  expired: '接続は行われませんでした。リンクの送信者に新しいリンクを依頼してください。',
  revokedTitle: 'このリンクは取り消されました',
  revoked: '接続は行われませんでした。まだ必要な場合は、リンクの送信者に新しいリンクを依頼してください。',
  usedTitle: 'このリンクは使用済みです',
  used: 'リンクは 1 回だけ使用できます。ほかのものを接続するには、リンクの送信者に新しいリンクを依頼してください。',
  elsewhereTitle: '別のブラウザーで開始されました',
  elsewhere:
    '安全のため、接続は行われませんでした。受け取ったリンクをこのブラウザーで開き、もう一度お試しください。',
  takenTitle: 'このリンクは別のブラウザーで開かれています',
  taken:
    'そのブラウザーで続行してください。お心当たりがない場合は、リンクの送信者に知らせて、新しいリンクを依頼してください。',
  unavailableTitle: 'このリンクは現在使用できません',
  unavailable:
    '{integrator} がお客様を確認できません。しばらくしてからもう一度お試しいただくか、{integrator} のサポートにお問い合わせください。',
  busyTitle: 'リクエストが多すぎます',
  busy: '1 分後にもう一度お試しください。',
  failedTitle: '問題が発生しました',
  failed: 'インターネット接続を確認してから、もう一度お試しください。',
  retry: 'もう一度試す',
  createTitle: '{vendor} を接続',
  createAsked: '{integrator} が {vendor} アカウントの接続を求めています。',
  createInvited:
    '{inviter} から {vendor} アカウントの接続に招待されています。接続すると、{customer} がそのデータを {integrator} で使用できます。',
  createAnyTitle: 'データソースを接続',
  createAnyAsked: '{integrator} がデータソースの接続を求めています。',
  createAnyInvited:
    '{inviter} からデータソースの接続に招待されています。接続すると、{customer} がそのデータを {integrator} で使用できます。',
  reconnectTitle: '{vendor} を再接続',
  reconnectAsked: '{integrator} が {vendor} への再ログインを求めています。',
  reconnectInvited:
    '{inviter} から {vendor} への再ログインを依頼されています。ログインすると、{customer} がそのデータを {integrator} で使用できます。',
  reads: '{integrator} が読み取るデータ：{read}',
  neverChanges: '{integrator} がデータを変更することはありません',
  canChange: '{integrator} が変更できるもの：{changed}',
  unnamedData: 'データ',
  check: 'まず {site} がログイン状態を確認し、その後このページに戻ります。',
  continueTo: '{site} に進む',
  guestWarning:
    '{inviter} からの招待に心当たりがある場合にのみ続行してください。不明な場合は、このページを閉じて本人に確認してください。',
  continue: '続行',
  limit: 'このリンクは 1 回だけ使用でき、{when}に有効期限が切れます。',
  leaving: '{site} に移動しています',
  unnamedCustomer: 'そのチーム',
  forCustomer: '{customer} 用',
  done: '{vendor} が接続されました',
  doneAny: 'データソースが接続されました',
  close: 'このページは閉じてかまいません。',
};
