import type { Translation } from '../../kind/words.ts';
import type { en } from './en.ts';

/** Chinese in simplified characters. */
export const zh = {
  description: '广告系列、广告、受众、素材和每日报告',
  category: '广告',
  reads: ['广告系列', '广告', '受众', '每日报告'],
  signIn: {
    title: '使用 TikTok 登录',
    description: '请在 TikTok for Business 中选择要共享的广告账户。',
    instead: '改用 TikTok 登录',
  },
  accessToken: {
    title: '访问令牌',
    description: '您的 TikTok API for Business 应用的长期访问令牌。广告主授权该应用后，由 TikTok 颁发。',
    instead: '改用访问令牌',
    steps: [
      '在 TikTok API for Business 中打开 My Apps，选择您的应用。',
      '打开该应用的授权链接，登录并选择要共享的广告账户。',
      'TikTok 会携带授权码重定向到您的应用。请用授权码换取访问令牌。',
      '将访问令牌粘贴到这里。在您或应用撤消之前，它一直有效。',
    ],
    who: 'TikTok API for Business 应用的开发者。',
    hint: '用授权码换取时，TikTok 仅返回一次',
    missing: '请粘贴访问令牌',
    tooLong: '访问令牌过长',
    characters: '访问令牌不能包含空格或特殊字符',
    appId: {
      title: '应用 ID',
      hint: '颁发令牌的应用的 ID，TikTok 凭它列出您的广告账户',
      digits: '应用 ID 只包含数字',
    },
    secret: {
      title: '应用密钥',
      hint: '在 My Apps 中与应用 ID 一起显示',
      both: '请同时输入应用 ID 和应用密钥，或都不输入',
      invalid: '请按 TikTok 显示的内容粘贴应用密钥',
      rejected: 'TikTok 不接受此应用 ID 和密钥用于该访问令牌',
    },
  },
  advertiserIds: {
    title: '广告主',
    hint: '要同步的 TikTok 广告账户的 ID。使用访问令牌时必须填写，除非您输入其应用 ID 和密钥。使用登录方式时，留空则同步您共享的所有账户。',
    unknown: '请输入要同步的广告账户的 ID，或访问令牌的应用 ID 和密钥。否则 TikTok 不会列出您的广告账户。',
    notAList: '请输入广告主 ID 列表',
    digits: '广告主 ID 只包含数字',
    none: '请至少输入一个广告主 ID',
    tooMany: '请最多输入 2,000 个广告主 ID',
  },
  startDate: {
    title: '开始日期',
    hint: '从这一天开始同步报告。留空则从各广告账户的创建日期开始。',
    format: '请使用 YYYY-MM-DD 格式',
  },
  account: {
    limited: 'TikTok 限制了其广告，数据仍会同步',
    inReview: 'TikTok 正在审核，数据仍会同步',
    reviewFailed: '审核未通过',
    disabled: 'TikTok 已停用此广告账户',
    noAccess: '您没有此广告账户的访问权限',
  },
  advertisers: {
    title: '广告账户',
    access: '每个广告账户的名称、状态、币种和余额',
  },
  campaigns: {
    title: '广告系列',
    access: '每个广告系列的目标、预算和状态',
  },
  adGroups: {
    title: '广告组',
    access: '每个广告组的受众、版位、排期和出价',
  },
  ads: {
    title: '广告',
    access: '每条广告的素材、文案和落地页',
  },
  audiences: {
    title: '受众',
    access: '自定义受众和类似受众，不含其中的人员信息',
  },
  images: {
    title: '图片',
    access: '您素材库中的图片',
  },
  videos: {
    title: '视频',
    access: '您素材库中的视频',
  },
  advertiserReports: {
    title: '每日账户报告',
    access: '每个广告账户每天的花费、展示次数和点击次数',
  },
  campaignReports: {
    title: '每日广告系列报告',
    access: '每个广告系列每天的花费、展示次数和点击次数',
  },
  adGroupReports: {
    title: '每日广告组报告',
    access: '每个广告组每天的花费、展示次数和转化次数',
  },
  adReports: {
    title: '每日广告报告',
    access: '每条广告每天的花费、展示次数和转化次数',
  },
} satisfies Translation<typeof en>;
