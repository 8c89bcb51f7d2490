/** Templates for one kind of meeting, with slots such as `{client}` (see `fillSlots`). */
export interface MeetingKind {
  readonly titles: readonly string[];
  readonly folder: string;
  readonly minutes: readonly number[];
  readonly isExternal: boolean;
  readonly overview: readonly string[];
  readonly points: readonly string[];
  readonly decisions: readonly string[];
  readonly actions: readonly string[];
  /** Sentences of the transcript. */
  readonly lines: readonly string[];
}

/** Values for the slots that stay constant within a note. */
export const SLOT_WORDS = {
  project: [
    'billing migration',
    'SSO rollout',
    'offline mode',
    'audit log export',
    'new pricing page',
    'data residency',
    'partner portal',
    'onboarding checklist',
    'search rewrite',
    'mobile release',
    'warehouse sync',
    'reporting API',
  ],
  team: ['Platform', 'Growth', 'Customer Success', 'Design', 'Data', 'Finance', 'Support', 'Field Sales'],
  day: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  month: ['January', 'March', 'April', 'June', 'September', 'October'],
} as const;

/** The kinds of meetings. */
export const MEETING_KINDS: readonly MeetingKind[] = [
  {
    titles: [
      '{client} – discovery',
      'Intro call: {client}',
      '{client} x us: first conversation',
      'Discovery w/ {contact} ({client})',
    ],
    folder: 'Sales',
    minutes: [30, 45],
    isExternal: true,
    overview: [
      '{contact} described how {client} plans its shifts today: {number} spreadsheets and a lot of phone calls.',
      'First conversation with {client}. {contact} is looking for a replacement before the contract ends in {month}.',
    ],
    points: [
      '{number} sites, each with its own process; head office sees numbers a week late',
      'Current tool costs about {money} a year and nobody owns it',
      '{contact} has to convince finance and the works council',
      'Security review takes {number} weeks and needs SSO from day one',
      'They tried a competitor last year; the import never worked',
      'Budget is not approved, but {money} was mentioned as “not scary”',
    ],
    decisions: [
      'Next step is a demo with their own data',
      'Leave the integration with payroll out of the first phase',
    ],
    actions: [
      '{colleague} to send the security questionnaire by {day}',
      '{contact} to share an anonymised export',
      'Book the demo for the week after next',
    ],
    lines: [
      'So walk me through what happens today when somebody calls in sick.',
      'Honestly, it is a group chat and a lot of hope.',
      'How many people touch that spreadsheet?',
      'About {number}, and two of them have left the company.',
      'What would have to be true for you to sign before {month}?',
      'Finance needs to see that it pays back within a year.',
      'We looked at another vendor and the import fell over on our data.',
      'If I am honest, price is not the first question, trust is.',
    ],
  },
  {
    titles: ['{client} demo', 'Demo follow-up – {client}', '{client}: deep dive {project}'],
    folder: 'Sales',
    minutes: [45, 60],
    isExternal: true,
    overview: [
      'Showed planning, swaps and the export to {contact} and two colleagues. Interest is real; the open question is {project}.',
      'Second demo for {client}, this time with their data. The {percent} saving on overtime caught their attention.',
    ],
    points: [
      'The mobile view got the most questions',
      '{contact} asked twice about {project}',
      'Export to their finance system must keep cost centres',
      'They want read-only access for {number} team leads',
      'Legal will ask about data residency',
    ],
    decisions: ['Pilot on {number} sites for six weeks', 'Quote in two variants: with and without {project}'],
    actions: [
      'Send the quote over {money} by {day}',
      '{colleague} to check whether {project} can be done in {month}',
      '{contact} to name the pilot sites',
    ],
    lines: [
      'Let me share my screen. Can everybody see the week view?',
      'What happens if two people want the same swap?',
      'The rule here says seniority first, but you can change that.',
      'Could a team lead see this without being able to edit?',
      'Yes, that is the read-only role.',
      'And the export, does it keep our cost centres?',
      'It does. I will show you with your own file.',
      'That alone would save us a day every month.',
    ],
  },
  {
    titles: ['{colleague} / 1:1', '1:1', 'Weekly 1:1 with {colleague}', 'Catch-up {colleague}'],
    folder: 'People',
    minutes: [30],
    isExternal: false,
    overview: [
      'Checked in on workload and on how {project} is going.',
      'Mostly about growth: {colleague} would like to lead a project next quarter.',
    ],
    points: [
      '{project} feels stuck between two teams',
      'Too many meetings on {day}; focus time gets eaten',
      'Would like to give the talk at the {month} offsite',
      'Feedback from {team} was good: clear, calm, early',
      'Holiday in {month}, cover is arranged',
    ],
    decisions: ['{colleague} takes over the {project} sync', 'No meetings on {day} mornings'],
    actions: [
      'Write down goals until {day}',
      'Introduce {colleague} to the {team} lead',
      'Look at the salary band in {month}',
    ],
    lines: [
      'How are you, really?',
      'Good week, tiring week.',
      'I keep getting pulled into {project} questions.',
      'Would it help if we moved the sync?',
      'I would like to try leading something end to end.',
      'Then let us find you something of the right size.',
      'One more thing: the offsite.',
      'Thanks, that was useful.',
    ],
  },
  {
    titles: ['{team} stand-up', 'Stand-up', 'Daily – {team}'],
    folder: 'Engineering',
    minutes: [15],
    isExternal: false,
    overview: [
      'Short stand-up. {project} is on track, one blocker with the test environment.',
      'Everybody on {project}; release moved to {day}.',
    ],
    points: [
      '{colleague} finished the migration script',
      'Test environment is slow since {day}',
      '{number} tickets left before the release',
      'Flaky test in {project} is being looked at',
    ],
    decisions: ['Release on {day}'],
    actions: ['{colleague} to restart the test environment', 'Pair on the flaky test after lunch'],
    lines: [
      'I will go first, quickly.',
      'Yesterday the migration script, today the tests for it.',
      'I am blocked on the test environment again.',
      'I can look at it right after this.',
      'Anything else? No? Good.',
    ],
  },
  {
    titles: ['Sprint planning {project}', '{team}: planning', 'Planning – {month} iteration'],
    folder: 'Engineering',
    minutes: [60, 90],
    isExternal: false,
    overview: [
      'Planned the next two weeks: {project} first, then the leftovers of last time.',
      'Capacity is {percent} because of holidays; the plan is smaller on purpose.',
    ],
    points: [
      '{number} points carried over, mostly {project}',
      'The import needs a design before it can be estimated',
      'Support asked for the audit log three times this month',
      '{colleague} is away from {day}',
      'We underestimate everything that touches permissions',
    ],
    decisions: ['{project} is the one goal', 'The import waits for a design', 'No estimates under one day'],
    actions: [
      '{colleague} to split the import ticket',
      'Ask {team} for the list of affected customers',
      'Write the release note before the code',
    ],
    lines: [
      'What did we carry over, and why?',
      'Mostly because the import was bigger than it looked.',
      'Can we agree that {project} is the goal and the rest is a bonus?',
      'I would like to see the design first.',
      'If we take that in, something has to go out.',
      'Support keeps asking for the audit log.',
      'Then let us do the smallest version that stops the tickets.',
      'Who reviews it? I am away from {day}.',
    ],
  },
  {
    titles: ['Incident review: {project}', 'Post-mortem {project}', 'What happened on {day} (incident)'],
    folder: 'Engineering',
    minutes: [45],
    isExternal: false,
    overview: [
      'A deploy at noon made {percent} of requests fail for {number} minutes. Nobody was paged because the alert looked at the average.',
    ],
    points: [
      'The change was reviewed; the risk was in the configuration, not in the code',
      'Rollback took {number} minutes because the old image was gone',
      'Support heard about it from a customer',
      'The status page was updated late',
    ],
    decisions: [
      'Alert on the slowest percentile',
      'Keep the last {number} images',
      'Support is in the incident channel from the first minute',
    ],
    actions: [
      '{colleague} to change the alert',
      'Write to {client} and say what we changed',
      'Exercise the rollback in {month}',
    ],
    lines: [
      'Before we start: we are looking for causes, not for culprits.',
      'The graph goes up at four minutes past twelve.',
      'Why did nobody get paged?',
      'Because the average still looked fine.',
      'The old image had already been cleaned away.',
      'A customer told support before we did.',
      'So what would have caught this?',
    ],
  },
  {
    titles: [
      'Interview: {contact} – product designer',
      'Interview {contact}',
      'Hiring debrief: backend engineer',
      'Panel with {contact}',
    ],
    folder: 'Hiring',
    minutes: [45, 60],
    isExternal: true,
    overview: [
      '{contact} talked through two projects in depth. Strong on trade-offs, less on measuring results.',
      'Debrief: unanimous yes, with one open question about seniority.',
    ],
    points: [
      'Explained a failed launch without blaming anyone',
      'Wants to work in a small team',
      'Notice period is {number} weeks',
      'Asked good questions about how we decide',
      'Salary expectation fits the band',
    ],
    decisions: ['Go to the last round', 'Offer at the upper end of the band'],
    actions: [
      '{colleague} to call two references',
      'Send the exercise until {day}',
      'Answer within {number} days',
    ],
    lines: [
      'Tell us about something that did not work.',
      'We built it for ourselves and not for the night shift.',
      'How did you notice?',
      'Nobody used it, and that is a very clear signal.',
      'What would you like to know from us?',
      'How do you decide when you disagree?',
      'Slowly, and then in writing.',
    ],
  },
  {
    titles: ['{client} – quarterly review', 'QBR {client}', '{client} check-in'],
    folder: 'Customers',
    minutes: [45, 60],
    isExternal: true,
    overview: [
      'Usage at {client} is up {percent}. {contact} is happy with the roll-out and less happy with the reports.',
      'Renewal is due in {month}; {contact} sees no reason to leave and one to pay less.',
    ],
    points: [
      '{number} of their sites use it every day',
      'Reports are exported and rebuilt in a spreadsheet',
      'Two tickets have been open for longer than a month',
      '{project} would let them close the old system',
      'New operations lead starts in {month}',
    ],
    decisions: ['Beta access to {project}', 'Renewal for two years with {percent} discount'],
    actions: [
      '{colleague} to close the two old tickets',
      'Training for the new operations lead in {month}',
      'Send the usage figures to {contact}',
    ],
    lines: [
      'Shall we start with the numbers or with the complaints?',
      'The complaints, please, then we can enjoy the numbers.',
      'The reports are the thing people rebuild by hand.',
      'Which columns are missing?',
      'Cost centre and the reason for the absence.',
      'When is your budget decided?',
      'In {month}, and I would like to have it settled before.',
    ],
  },
  {
    titles: ['Design review – {project}', '{project}: sketches', 'Crit: {project}'],
    folder: 'Product',
    minutes: [45],
    isExternal: false,
    overview: [
      'Looked at three directions for {project}. The second one is the simplest and answers most of the questions from support.',
    ],
    points: [
      'The empty state explains more than the tour',
      'Colour alone carries meaning in the calendar',
      'Keyboard order jumps',
      'Nobody found the second menu',
      'Works on a phone only in landscape',
    ],
    decisions: ['Continue with the second direction', 'Drop the tour'],
    actions: [
      '{colleague} to test with {number} people',
      'Fix the keyboard order first',
      'Show it again on {day}',
    ],
    lines: [
      'What question does this screen answer?',
      'Who is on shift, and who could be.',
      'Then why is the first thing a filter?',
      'Nobody in the test found the second menu.',
      'I like that it says what is missing.',
      'Does it still work without the colour?',
    ],
  },
  {
    titles: ['User research: {contact}', 'Research session {number}', 'Shadowing at {client}'],
    folder: 'Product',
    minutes: [60],
    isExternal: true,
    overview: [
      '{contact} plans {number} people on paper first and types it in afterwards, because “paper does not log me out”.',
    ],
    points: [
      'Plans on {day} evening, at home',
      'Prints the plan and hangs it up',
      'Swaps are agreed in the corridor',
      'Afraid of publishing by accident',
      'Uses colour for people, not for shifts',
    ],
    decisions: ['Publishing needs an undo'],
    actions: ['Clip the three best minutes for {team}', 'Ask {number} more planners about printing'],
    lines: [
      'Can you show me how you did it last week?',
      'I start on paper. Paper does not log me out.',
      'And then you type it in?',
      'Yes, at home, when it is quiet.',
      'What are you most afraid of?',
      'Publishing it before it is ready.',
    ],
  },
  {
    titles: ['Budget {month}', 'Finance sync', 'Forecast review', 'Budget: {team}'],
    folder: 'Leadership',
    minutes: [45],
    isExternal: false,
    overview: ['{team} is {percent} over plan because of cloud costs; hiring is behind, so the total fits.'],
    points: [
      'Cloud costs rose by {percent}, half of it test environments',
      '{number} open positions move to next quarter',
      'Travel is below plan',
      'Prepayment would save {money} a year',
    ],
    decisions: ['Switch off test environments at night', 'Prepay for one year'],
    actions: ['{colleague} to send the revised forecast by {day}', 'Compare two offers for the prepayment'],
    lines: [
      'Where does the jump in {month} come from?',
      'Test environments that nobody switched off.',
      'If we prepay, we save {money}.',
      'Only if we are sure about the volume.',
      'I would take the one-year option.',
    ],
  },
  {
    titles: ['All hands {month}', 'Company update', 'Offsite day {number}: workshop'],
    folder: 'Leadership',
    minutes: [90, 120],
    isExternal: false,
    overview: [
      'Results of the quarter, the plan for {project}, and a long round of questions about the new office.',
    ],
    points: [
      '{number} new customers, two lost',
      '{project} is the priority until {month}',
      'The office moves; nobody has to',
      'Support answered {percent} faster',
      'Thanks to {team} for the release',
    ],
    decisions: ['Next offsite in {month}'],
    actions: [
      '{colleague} to publish the questions and answers',
      'Every team writes its three goals until {day}',
    ],
    lines: [
      'Good morning everybody, and welcome to those who are new.',
      'Let me start with what did not work.',
      'We lost two customers, and both told us why.',
      'That is a fair question, and I do not have the whole answer.',
      'The office moves in {month}. Nobody has to move with it.',
      'A round of applause for {team}, please.',
      'Let us take the next question from the chat.',
      'We will write all of this down.',
    ],
  },
];

/** A meeting in another language. */
export interface OtherLanguageMeeting {
  readonly title: string;
  readonly overview: string;
  readonly points: readonly string[];
}

/** Meetings in other languages and scripts. */
export const OTHER_LANGUAGES: readonly OtherLanguageMeeting[] = [
  {
    title: 'Rétro équipe produit 🎉',
    overview: 'La livraison s’est bien passée ; la communication avec le support reste à améliorer.',
    points: [
      'Plus de tests avant la mise en production',
      'Écrire la note de version avant le code',
      'Fêter la livraison vendredi',
    ],
  },
  {
    title: '日本市場の週次ミーティング',
    overview: '青葉システム様の導入は予定どおり進んでいます。翻訳の確認が残っています。',
    points: ['翻訳レビューは金曜日まで', '来月、東京で研修を行う', '請求書の書式を確認する'],
  },
  {
    title: 'Vertragsprüfung Mühlbach Maschinen',
    overview: 'Laufzeit und Haftung sind geklärt, die Auftragsverarbeitung wird nachgereicht.',
    points: ['Laufzeit zwei Jahre', 'Auftragsverarbeitung bis Donnerstag', 'Rechnung quartalsweise'],
  },
  {
    title: 'مراجعة العقد مع العميل',
    overview: 'اتفقنا على مدة سنتين مع مراجعة السعر بعد السنة الأولى.',
    points: ['إرسال النسخة النهائية يوم الأحد', 'تحديد موعد التدريب'],
  },
  {
    title: 'פגישת היכרות – צוות תמיכה',
    overview: 'הצוות מבקש דוחות פשוטים יותר וגישה לקריאה בלבד.',
    points: ['להציג את הדוח החדש', 'לבדוק הרשאות'],
  },
  {
    title: 'Reunión semanal – Río Claro Foods',
    overview: 'El piloto en tres plantas funciona; falta conectar la nómina.',
    points: [
      'Conectar la nómina en abril',
      'Formación para los jefes de turno',
      '¿Quién aprueba el presupuesto?',
    ],
  },
  {
    title: '🚀 launch prep 🚀',
    overview: 'Checklist walked through twice. Two things are red, both small.',
    points: ['Status page text is ready', 'Rollback was rehearsed', 'Screenshots are still the old ones 😬'],
  },
];

/** Sentences that fit any meeting. */
export const SMALL_TALK: readonly string[] = [
  'Sorry, I was on mute.',
  'Can you hear me now?',
  'Right.',
  'Mm-hm.',
  'Exactly.',
  'Let me write that down.',
  'Sorry, go ahead.',
  'Could you say that again? You broke up for a second.',
  'Okay, makes sense.',
  'I have to drop in five minutes.',
  'Let us come back to that.',
  'What would that look like in practice?',
  'I am not sure that is the real problem.',
  'Good point.',
  'Who takes that?',
  'I can take it.',
  'By when?',
  'By {day}, if nothing comes in between.',
  'That was about {project}, I think.',
  'Give me a second, I am looking for the page.',
  '',
];
