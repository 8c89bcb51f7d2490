/** What end-customers read about TikTok Marketing, in English. */
export const en = {
  description: 'Campaigns, ads, audiences, creatives and daily reports',
  category: 'Advertising',
  reads: ['campaigns', 'ads', 'audiences', 'daily reports'],
  signIn: {
    title: 'Sign in with TikTok',
    description: 'Choose the ad accounts to share in TikTok for Business.',
    instead: 'Sign in with TikTok instead',
  },
  accessToken: {
    title: 'Access token',
    description:
      'A long-term access token of your TikTok API for Business app. TikTok issues it when an advertiser authorizes the app.',
    instead: 'Use an access token instead',
    steps: [
      'In TikTok API for Business, open My Apps and choose your app.',
      "Open the app's authorization link, sign in, and choose the ad accounts to share.",
      'TikTok redirects to your app with an authorization code. Exchange it for an access token.',
      'Paste the access token here. It works until you or the app revoke it.',
    ],
    who: 'A developer of a TikTok API for Business app.',
    hint: 'TikTok returns it once, in exchange for the authorization code',
    missing: 'Paste the access token',
    tooLong: 'The access token is too long',
    characters: "An access token can't contain spaces or special characters",
    appId: {
      title: 'App ID',
      hint: "The ID of the token's app, with which TikTok lists your ad accounts",
      digits: 'An app ID contains only digits',
    },
    secret: {
      title: 'App secret',
      hint: 'Shown with the app ID under My Apps',
      both: 'Enter both the app ID and the app secret, or neither',
      invalid: 'Paste the app secret as TikTok shows it',
      rejected: "TikTok didn't accept this app ID and secret for the access token",
    },
  },
  advertiserIds: {
    title: 'Advertisers',
    hint: 'IDs of the TikTok ad accounts to sync. An access token needs them, unless you enter its app ID and secret. After signing in, leave empty to sync every account you shared.',
    unknown:
      "Enter the IDs of the ad accounts to sync, or the app ID and secret of the access token. Without them, TikTok doesn't list your ad accounts.",
    notAList: 'Enter a list of advertiser IDs',
    digits: 'An advertiser ID contains only digits',
    none: 'Enter at least one advertiser ID',
    tooMany: 'Enter at most 2,000 advertiser IDs',
  },
  startDate: {
    title: 'Start date',
    hint: 'First day of reports to sync. Leave empty to start when each ad account was created.',
    format: 'Use the format YYYY-MM-DD',
  },
  account: {
    limited: 'TikTok restricts its ads. Data still syncs',
    inReview: 'TikTok is reviewing it. Data still syncs',
    reviewFailed: 'Review failed',
    disabled: 'TikTok has disabled this ad account',
    noAccess: "You don't have access to this ad account",
  },
  advertisers: {
    title: 'Ad accounts',
    access: 'Name, status, currency and balance of each ad account.',
  },
  campaigns: {
    title: 'Campaigns',
    access: 'Objective, budget and status of each campaign.',
  },
  adGroups: {
    title: 'Ad groups',
    access: 'Audience, placement, schedule and bid of each ad group.',
  },
  ads: {
    title: 'Ads',
    access: 'Creative, text and landing page of each ad.',
  },
  audiences: {
    title: 'Audiences',
    access: 'Custom and lookalike audiences, without the people in them.',
  },
  images: {
    title: 'Images',
    access: 'Images in your creative library.',
  },
  videos: {
    title: 'Videos',
    access: 'Videos in your creative library.',
  },
  advertiserReports: {
    title: 'Daily account reports',
    access: 'Spend, impressions and clicks of each ad account, per day.',
  },
  campaignReports: {
    title: 'Daily campaign reports',
    access: 'Spend, impressions and clicks of each campaign, per day.',
  },
  adGroupReports: {
    title: 'Daily ad group reports',
    access: 'Spend, impressions and conversions of each ad group, per day.',
  },
  adReports: {
    title: 'Daily ad reports',
    access: 'Spend, impressions and conversions of each ad, per day.',
  },
} as const;
