import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Chinese in simplified characters. */
export const zh = {
  description: '销售通话：参与者、录制内容、主题、文字记录',
  category: '销售通话',
  reads: ['通话', '参与者', '文字记录', '用户'],
  signIn: {
    title: '使用 Gong 登录',
    description: '由 Gong 技术管理员登录，并为整个公司允许访问。',
    instead: '改用 Gong 登录',
  },
  accessKey: {
    title: '访问密钥',
    description: '由 Gong 技术管理员在 Admin\u00a0center → Settings → Ecosystem → API 中创建密钥。',
    instead: '改用访问密钥',
    steps: [
      '在 Gong 中打开 Admin\u00a0center → Settings，然后选择 Ecosystem 下的 API。',
      '选择 Get API key，并为密钥命名。如果限制 IP 地址，请向支持团队询问应允许哪些地址。',
      '复制访问密钥及其 Secret。Gong 只显示一次 Secret。',
      '将两者粘贴到这里。',
    ],
    who: 'Gong 技术管理员，任何套餐均可。',
    key: {
      hint: '创建密钥时显示',
      missing: '请粘贴访问密钥',
      tooLong: '访问密钥过长',
      characters: '访问密钥不能包含空格或特殊字符',
    },
    secret: {
      title: '访问密钥 Secret',
      hint: '只在访问密钥旁边显示一次',
      missing: '请粘贴访问密钥 Secret',
      tooLong: '访问密钥 Secret 过长',
      characters: '访问密钥 Secret 不能包含空格或特殊字符',
    },
  },
  workspaces: {
    title: '工作区',
    hint: '填写要同步通话的工作区的 ID。留空则同步所有工作区。用户属于整个公司。',
    notAList: '请输入工作区 ID 列表',
    none: '请至少输入一个工作区 ID',
    tooMany: '请最多输入 2,000 个工作区 ID',
  },
  users: {
    title: '用户',
    access: '您公司人员的姓名、电子邮件地址和上级',
  },
  calls: {
    title: '通话',
    access: '已录制通话的标题、时间和负责人',
  },
  callDetails: {
    title: '通话详情',
    access: '每次通话的参与者、主题、跟踪器和评论',
  },
  callTranscripts: {
    title: '通话文字记录',
    access: '每次通话中每位发言者所说的内容',
  },
} satisfies Translation<typeof en>;
