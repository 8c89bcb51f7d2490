import type { Messages } from './messages.ts';

export const en: Messages = {
  failed: {
    title: 'Something went wrong',
    text: 'Nothing was connected. Try again in a few minutes.',
  },
  over: {
    title: 'This link no longer works',
    text: 'It expired, was cancelled, or was already used. Ask for a new one.',
  },
  late: {
    title: 'That took too long',
    text: 'Nothing was connected. Try again, and continue within five minutes.',
  },
  signedOut: {
    title: 'Sign in first',
    text: 'Sign in to your account in this browser, then try again.',
  },
  otherAccount: {
    title: 'This link is for a different account',
    text: 'Nothing was connected. Sign in to the account that the link is for and open it again, or ask for a new link.',
  },
  incomplete: {
    title: 'This address is incomplete',
    text: 'Open the link that you received again.',
  },
  framed: {
    title: 'Open this link in its own window',
    text: 'Open the link that you received in a new tab of your browser.',
  },
  tryAgain: 'Try again',
};
