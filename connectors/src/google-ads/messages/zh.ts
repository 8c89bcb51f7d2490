import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Chinese in simplified characters. */
export const zh = {
  description: '搜索广告：账户、广告系列、广告、标签',
  category: '广告',
  reads: ['广告系列', '广告', '每日效果数据'],
  changes: ['广告系列', '广告组', '标签'],
  consentSays: '修改',
  signIn: {
    title: '使用 Google 登录',
    description: '请选择可访问您的 Google Ads 账户的 Google 账号。',
    instead: '改用 Google 登录',
  },
  ownClient: {
    title: '登录应用和开发者令牌',
    description:
      '使用您自己在 Google Cloud 控制台中创建的登录应用、范围为 https://www.googleapis.com/auth/adwords 的刷新令牌，以及 Google Ads 经理账户 API 中心的开发者令牌。',
    instead: '改用您自己的登录应用',
    steps: [
      '在 Google Cloud 控制台中打开“API 和服务”→“凭据”，复制登录应用（“OAuth 2.0 客户端 ID”）的 ID 和密钥。',
      '使用该应用获取范围为 https://www.googleapis.com/auth/adwords 的刷新令牌。',
      '在您的 Google Ads 经理账户中打开“管理”→“API 中心”，复制开发者令牌。',
      '将这四个值全部粘贴到这里。',
    ],
    who: '有权访问您的 Google Cloud 项目和 Google Ads 经理账户的开发者。',
    clientId: {
      title: '客户端 ID',
      hint: 'Google Cloud 控制台 →“API 和服务”→“凭据”',
      missing: '请粘贴客户端 ID',
      tooLong: '客户端 ID 过长',
      characters: '客户端 ID 不能包含空格或特殊字符',
    },
    clientSecret: {
      title: '客户端密钥',
      hint: '显示在客户端 ID 旁边',
      missing: '请粘贴客户端密钥',
      tooLong: '客户端密钥过长',
      characters: '客户端密钥不能包含空格或特殊字符',
      rejected: 'Google 未接受此客户端 ID 和客户端密钥',
    },
    refreshToken: {
      title: '刷新令牌',
      hint: '在 Google 用户同意后颁发，用于离线访问',
      missing: '请粘贴刷新令牌',
      tooLong: '刷新令牌过长',
      characters: '刷新令牌不能包含空格或特殊字符',
      rejected: 'Google 不再接受此刷新令牌。它已被撤消、已过期，或已有 6 个月未使用。',
    },
    developerToken: {
      title: '开发者令牌',
      hint: 'Google Ads 经理账户 →“管理”→“API 中心”（22 个字符）',
      missing: '请粘贴开发者令牌',
      tooLong: '开发者令牌过长',
      characters: '开发者令牌不能包含空格或特殊字符',
    },
  },
  customerIds: {
    title: '客户 ID',
    hint: '要同步的 Google Ads 账户。留空则同步您可以访问的所有账户。',
    digits: '客户 ID 为 10 位数字，不含连字符',
    none: '请至少输入一个客户 ID',
    tooMany: '请最多输入 2,000 个客户 ID',
  },
  startDate: {
    title: '开始日期',
    hint: '从这一天开始同步指标。留空则从两年前开始。',
    format: '请使用 YYYY-MM-DD 格式',
  },
  account: {
    manager: '经理账户',
    client: '客户账户',
    test: '测试账户',
    isManager: '经理账户本身没有广告系列',
    canceled: '此账户已取消',
    suspended: 'Google 已暂停此账户',
    closed: '此账户已关闭',
    notEnabled: '此账户已取消或尚未完成设置',
    noAccess: '您没有此账户的访问权限',
  },
  accessibleCustomers: {
    title: '可访问的账户',
    access: '您可以直接打开的账户',
  },
  accounts: {
    title: '账户',
    access: '每个账户的名称、币种、时区和设置',
  },
  campaigns: {
    title: '广告系列',
    access: '每个广告系列的预算、状态和每日效果',
  },
  adGroups: {
    title: '广告组',
    access: '每个广告组的出价、目标和每日费用',
  },
  ads: {
    title: '广告',
    access: '每条广告的链接、广告效力和政策审核结果',
  },
  campaignLabels: {
    title: '广告系列标签',
    access: '每个广告系列的标签',
  },
  adGroupLabels: {
    title: '广告组标签',
    access: '每个广告组的标签',
  },
  adLabels: {
    title: '广告标签',
    access: '每条广告的标签',
  },
  labels: {
    title: '标签',
    access: '用于广告系列、广告组和广告的新标签',
  },
} satisfies Translation<typeof en>;
