import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Chinese in simplified characters. */
export const zh = {
  description: '会议笔记和文字记录',
  category: '会议',
  reads: ['会议笔记', '参会者', '文字记录'],
  apiKey: {
    title: 'API 密钥',
    description: '请在 Granola 的 Settings → API 中创建密钥。需要 Business 或 Enterprise 套餐。',
    instead: '改用 API 密钥',
    steps: [
      '打开 Granola 应用，前往 Settings → API。',
      '创建密钥，并选择读取您自己的笔记还是工作区的笔记。',
      '复制密钥并粘贴到这里。',
    ],
    who: '任何 Business 或 Enterprise 套餐用户。整个工作区的密钥由管理员创建。',
    hint: '以 grn_ 开头',
    missing: '请粘贴 API 密钥',
    tooLong: 'API 密钥过长',
    characters: 'API 密钥不能包含空格或特殊字符',
  },
  notes: {
    title: '会议笔记',
    access: '会议的标题、摘要、参会者和文字记录',
  },
} satisfies Translation<typeof en>;
