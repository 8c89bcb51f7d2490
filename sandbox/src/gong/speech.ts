/** A topic of a call, with sentences for each side. */
export interface Topic {
  readonly name: string | null;
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** The topics of a software company's sales call. */
export const TOPICS: readonly Topic[] = [
  {
    name: 'Introduction',
    ours: [
      'Thanks for joining today.',
      'Let us look at the agenda.',
      'Can everybody hear me?',
      'I have half an hour set aside for you.',
      'Shall I record this, is that fine with you?',
    ],
    theirs: [
      'Glad to be here.',
      'Yes, recording is fine.',
      'One colleague will join a bit later.',
      'Sorry, I was looking for the link.',
    ],
  },
  {
    name: 'Current situation',
    ours: [
      'How do you do this today?',
      'And who decides when two people want the same day?',
      'How long does that take you each week?',
      'What happens if somebody calls in sick?',
    ],
    theirs: [
      'Mostly on paper, to be honest.',
      'We have a spreadsheet with eleven tabs.',
      'It takes one person a full day.',
      'We phone around until somebody says yes.',
      'Ça dépend du site, chacun a sa méthode.',
    ],
  },
  {
    name: 'Product',
    ours: [
      'This is the week view, with your own sites in it.',
      'If I drag this, everybody affected gets a message.',
      'You can undo a publication for ten minutes.',
      'The export keeps your cost centres.',
    ],
    theirs: [
      'Could a team lead see this without editing?',
      'Does that work on a phone?',
      'That would save us a lot of calls.',
      'And when there is no network?',
    ],
  },
  {
    name: 'Pricing',
    ours: [
      'It is priced per person planned, not per planner.',
      'Two years gives you a discount.',
      'The pilot is free for six weeks.',
      'I can send you both variants.',
    ],
    theirs: [
      'What does that come to for four hundred people?',
      'We have another offer that is a little lower.',
      'Finance will ask about notice periods.',
      'That is within what we had in mind.',
    ],
  },
  {
    name: null,
    ours: ['Right.', 'Good question, let me check that.', 'Exactly.'],
    theirs: ['Mm-hm.', 'Okay.', 'えっと、少し確認します。', 'Makes sense.'],
  },
  {
    name: 'Next steps',
    ours: [
      'I will send the quote by Thursday.',
      'Shall we put the next call in the calendar?',
      'I will bring a colleague for the technical part.',
    ],
    theirs: ['Please copy my colleague.', 'Next Tuesday works.', 'I will talk to our works council.'],
  },
];

/** One-sentence summaries of a call. */
export const BRIEFS: readonly string[] = [
  'Demo of the scheduling module.',
  'First conversation about replacing a spreadsheet-based process.',
  'Pricing was discussed in two variants; the decision lies with finance.',
  'Review of the pilot, with a list of open points.',
  'Security and data residency questions were answered.',
];

/** The trackers and their keywords. */
export const TRACKERS: readonly { readonly name: string; readonly keywords: readonly string[] }[] = [
  { name: 'Competitors', keywords: ['rivalco', 'other offer', 'another vendor'] },
  { name: 'Next steps', keywords: ['next call', 'send the quote', 'calendar'] },
  { name: 'Pricing', keywords: ['discount', 'per person', 'budget'] },
  { name: 'Objections', keywords: ['too expensive', 'works council', 'not now'] },
];
