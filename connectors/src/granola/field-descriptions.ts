/** What Granola's fields contain, for those whose schema does not say it. */
export const fieldDescriptions = {
  id: 'Note ID',
  title: 'Title of the note',
} as const;
