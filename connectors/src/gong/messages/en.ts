/** What end-customers read about Gong, in English. */
export const en = {
  description: 'Sales calls: participants, recordings, topics, transcripts',
  category: 'Sales calls',
  reads: ['calls', 'participants', 'transcripts', 'users'],
  signIn: {
    title: 'Sign in with Gong',
    description: 'A Gong technical admin signs in and allows access for the whole company.',
    instead: 'Sign in with Gong instead',
  },
  accessKey: {
    title: 'Access key',
    description: 'A Gong technical admin creates the key in Admin\u00a0center → Settings → Ecosystem → API.',
    instead: 'Use an access key instead',
    steps: [
      'In Gong, open Admin\u00a0center → Settings, and select API under Ecosystem.',
      'Select Get API key and give the key a name. If you limit it to IP addresses, ask support which ones to allow.',
      'Copy the access key and its secret. Gong shows the secret only once.',
      'Paste both here.',
    ],
    who: 'A Gong technical admin, on any plan.',
    key: {
      hint: 'Shown when the key is created',
      missing: 'Paste the access key',
      tooLong: 'The access key is too long',
      characters: "The access key can't contain spaces or special characters",
    },
    secret: {
      title: 'Access key secret',
      hint: 'Shown only once, next to the access key',
      missing: 'Paste the access key secret',
      tooLong: 'The access key secret is too long',
      characters: "The access key secret can't contain spaces or special characters",
    },
  },
  workspaces: {
    title: 'Workspaces',
    hint: 'IDs of the workspaces whose calls to sync. Leave empty to sync all of them. Users belong to the whole company.',
    notAList: 'Enter a list of workspace IDs',
    none: 'Enter at least one workspace ID',
    tooMany: 'Enter at most 2,000 workspace IDs',
  },
  users: {
    title: 'Users',
    access: 'Names, email addresses and managers of the people in your company.',
  },
  calls: {
    title: 'Calls',
    access: 'Titles, times and owners of recorded calls.',
  },
  callDetails: {
    title: 'Call details',
    access: 'Participants, topics, trackers and comments of each call.',
  },
  callTranscripts: {
    title: 'Call transcripts',
    access: 'What was said in each call, by speaker.',
  },
} as const;
