import type { Translation } from '../words.ts';
import type { en } from './en.ts';

/** Chinese in simplified characters. */
export const zh = {
  rejected: '{source} 未接受此内容。请检查它是否完整且有效。',
  rejectedBecause: '{source} 未接受此内容：“{reason}”',
  nothingToPaste: '{source} 没有可粘贴的凭据，请改为登录。',
  denied: '{source}：访问被拒绝',
  interrupted: '登录已中断，请重新开始。',
} satisfies Translation<typeof en>;
