/** What end-customers read about Google Ads, in English. */
export const en = {
  description: 'Search advertising: accounts, campaigns, ads, labels',
  category: 'Advertising',
  reads: ['campaigns', 'ads', 'daily performance'],
  changes: ['campaigns', 'ad groups', 'labels'],
  consentSays: 'edit',
  signIn: {
    title: 'Sign in with Google',
    description: 'Choose the Google account that can access your Google Ads accounts.',
    instead: 'Sign in with Google instead',
  },
  ownClient: {
    title: 'Sign-in app and developer token',
    description:
      'Use your own sign-in app from the Google Cloud console, a refresh token with the scope https://www.googleapis.com/auth/adwords, and a developer token from the API Center of a Google Ads manager account.',
    instead: 'Use your own sign-in app instead',
    steps: [
      'In the Google Cloud console, open APIs & Services → Credentials, and copy the client ID and secret of your sign-in app (“OAuth 2.0 Client IDs”).',
      'Use that app to get a refresh token with the scope https://www.googleapis.com/auth/adwords.',
      'In your Google Ads manager account, open Admin → API Center, and copy the developer token.',
      'Paste all four values here.',
    ],
    who: 'A developer with access to your Google Cloud project and to a Google Ads manager account.',
    clientId: {
      title: 'Client ID',
      hint: 'Google Cloud console → APIs & Services → Credentials',
      missing: 'Paste the client ID',
      tooLong: 'The client ID is too long',
      characters: "The client ID can't contain spaces or special characters",
    },
    clientSecret: {
      title: 'Client secret',
      hint: 'Shown next to the client ID',
      missing: 'Paste the client secret',
      tooLong: 'The client secret is too long',
      characters: "The client secret can't contain spaces or special characters",
      rejected: "Google didn't accept this client ID and client secret",
    },
    refreshToken: {
      title: 'Refresh token',
      hint: 'Issued for offline access when a Google user consents',
      missing: 'Paste the refresh token',
      tooLong: 'The refresh token is too long',
      characters: "The refresh token can't contain spaces or special characters",
      rejected:
        'Google no longer accepts this refresh token. It was revoked, has expired, or went unused for 6 months.',
    },
    developerToken: {
      title: 'Developer token',
      hint: 'Google Ads manager account → Admin → API Center (22 characters)',
      missing: 'Paste the developer token',
      tooLong: 'The developer token is too long',
      characters: "The developer token can't contain spaces or special characters",
    },
  },
  customerIds: {
    title: 'Customer IDs',
    hint: 'Google Ads accounts to sync. Leave empty to sync every account you can access.',
    digits: 'A customer ID has 10 digits and no dashes',
    none: 'Enter at least one customer ID',
    tooMany: 'Enter at most 2,000 customer IDs',
  },
  startDate: {
    title: 'Start date',
    hint: 'First day of metrics to sync. Leave empty to start two years ago.',
    format: 'Use the format YYYY-MM-DD',
  },
  account: {
    manager: 'Manager',
    client: 'Client',
    test: 'Test account',
    isManager: 'Manager accounts have no campaigns of their own',
    canceled: 'This account is canceled',
    suspended: 'Google has suspended this account',
    closed: 'This account is closed',
    notEnabled: 'This account is canceled or not fully set up',
    noAccess: "You don't have access to this account",
  },
  accessibleCustomers: {
    title: 'Accessible accounts',
    access: 'The accounts that you can open directly.',
  },
  accounts: {
    title: 'Accounts',
    access: 'Name, currency, time zone and settings of each account.',
  },
  campaigns: {
    title: 'Campaigns',
    access: 'Budget, status and daily performance of each campaign.',
  },
  adGroups: {
    title: 'Ad groups',
    access: 'Bids, targets and daily cost of each ad group.',
  },
  ads: {
    title: 'Ads',
    access: 'Links, ad strength and policy review of each ad.',
  },
  campaignLabels: {
    title: 'Campaign labels',
    access: 'The labels of each campaign.',
  },
  adGroupLabels: {
    title: 'Ad group labels',
    access: 'The labels of each ad group.',
  },
  adLabels: {
    title: 'Ad labels',
    access: 'The labels of each ad.',
  },
  labels: {
    title: 'Labels',
    access: 'New labels for campaigns, ad groups and ads.',
  },
} as const;
