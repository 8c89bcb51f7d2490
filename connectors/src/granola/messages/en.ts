/** What end-customers read about Granola, in English. */
export const en = {
  description: 'Meeting notes and transcripts',
  category: 'Meetings',
  reads: ['meeting notes', 'attendees', 'transcripts'],
  apiKey: {
    title: 'API key',
    description: 'Create a key in Granola under Settings → API. Requires a Business or Enterprise plan.',
    instead: 'Use an API key instead',
    steps: [
      'Open the Granola app and go to Settings → API.',
      'Create a key. Choose whether it reads your own notes or those of the workspace.',
      'Copy the key and paste it here.',
    ],
    who: 'Anyone on a Business or Enterprise plan. For the whole workspace, an admin.',
    hint: 'Starts with grn_',
    missing: 'Paste the API key',
    tooLong: 'The API key is too long',
    characters: "An API key can't contain spaces or special characters",
  },
  notes: {
    title: 'Meeting notes',
    access: 'Titles, summaries, attendees and transcripts of your meetings.',
  },
} as const;
