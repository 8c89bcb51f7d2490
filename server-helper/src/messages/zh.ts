import type { Messages } from './messages.ts';

export const zh: Messages = {
  failed: { title: '出了点问题', text: '未进行任何连接。请在几分钟后重试。' },
  over: { title: '此链接已失效', text: '链接已过期、已被取消或已被使用。请索取新链接。' },
  late: {
    title: '操作超时',
    text: '未进行任何连接。请重试，并在五分钟内继续。',
  },
  signedOut: { title: '请先登录', text: '请在此浏览器中登录您的账户，然后重试。' },
  otherAccount: {
    title: '此链接适用于其他账户',
    text: '未进行任何连接。请登录该链接对应的账户并重新打开链接，或索取新链接。',
  },
  incomplete: { title: '此地址不完整', text: '请重新打开您收到的链接。' },
  framed: { title: '请在单独的窗口中打开此链接', text: '请在浏览器的新标签页中打开您收到的链接。' },
  tryAgain: '重试',
};
