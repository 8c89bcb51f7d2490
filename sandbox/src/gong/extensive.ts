import { TRACKERS } from './call-words.ts';
import type { Call } from './calls.ts';
import type { GongCompany } from './company.ts';
import { inventParties, type WireParty } from './participants.ts';

/** The parts of a call that the request's `contentSelector` selects. */
export interface ContentSelector {
  readonly context: boolean;
  readonly parties: boolean;
  readonly media: boolean;
  readonly content: ReadonlySet<string>;
  readonly interaction: ReadonlySet<string>;
  readonly publicComments: boolean;
}

/** The host of recordings, which the sandbox does not serve. Gong does not publish the real one. */
const MEDIA_HOST = 'media.gong.example';

type Block = Record<string, unknown>;

/** Renders a call with only the requested blocks. */
export function writeExtensiveCall(call: Call, company: GongCompany, selector: ContentSelector): Block {
  const parties = inventParties(call, company);
  return {
    metaData: call.wire,
    ...(selector.context && { context: writeContext(call) }),
    ...(selector.parties && { parties }),
    ...(selector.content.size > 0 && { content: writeContent(call, company, selector.content) }),
    ...(selector.interaction.size > 0 && {
      interaction: writeInteraction(call, parties, selector.interaction),
    }),
    ...(selector.publicComments && { collaboration: { publicComments: writeComments(call, company) } }),
    ...(selector.media && { media: writeMedia(call) }),
  };
}

function writeContext({ wire, random: inside }: Call): Block[] {
  const random = inside.fork('context');
  if (wire.scope !== 'External' || random.chance(0.2)) return [];
  const opportunity = {
    objectType: 'Opportunity',
    objectId: `006${random.text(12)}QAJ`,
    fields: [
      { name: 'Amount', value: random.chance(0.9) ? random.integer(4, 120) * 1000 : null },
      { name: 'StageName', value: random.pick(['Discovery', 'Proposal', 'Negotiation', 'Closed Won']) },
    ],
    timing: 'Now',
  };
  return [{ system: 'Salesforce', objects: [opportunity] }];
}

function writeContent(call: Call, company: GongCompany, asked: ReadonlySet<string>): Block {
  const random = call.random.fork('content');
  const named = company.words.topics.flatMap(({ name }) => (name === null ? [] : [name]));
  const { duration } = call.wire;
  const topics = random
    .sample(named, random.integer(1, named.length))
    .map(name => ({ name, duration: random.integer(10, Math.max(11, Math.floor(duration / 4))) }));
  const trackers = TRACKERS.map(({ name, keywords }) => {
    const startTimes = Array.from({ length: random.integer(0, 3) }, () => random.integer(1, duration)).sort(
      (a, b) => a - b,
    );
    const occurrences = startTimes.map(startTime => ({ startTime, phrase: random.pick(keywords) }));
    return {
      id: company.random.fork('tracker', name).digits(14),
      name,
      count: occurrences.length,
      type: 'KEYWORD',
      occurrences: asked.has('trackerOccurrences') ? occurrences : [],
    };
  });
  const nextStep = { id: '1', text: 'Send quote', startTimes: [random.integer(10, duration * 10) / 10] };
  const blocks: Block = {
    structure: topics.slice(0, 3),
    topics,
    trackers,
    brief: random.pick(company.words.briefs),
    outline: topics.slice(0, 2).map((topic, index) => ({
      section: topic.name,
      startTime: index * 60,
      duration: topic.duration,
      items: [],
    })),
    highlights: random.chance(0.8) ? [{ title: 'Next steps', items: [nextStep] }] : [],
    callOutcome: { id: '77', category: 'Qualified', name: 'Follow-up' },
    keyPoints: random.sample(company.words.keyPoints, 2).map(text => ({ text })),
  };
  const isAsked = (name: string): boolean =>
    asked.has(name) || (name === 'trackers' && asked.has('trackerOccurrences'));
  return Object.fromEntries(Object.entries(blocks).filter(([name]) => isAsked(name)));
}

function writeInteraction(call: Call, parties: readonly WireParty[], asked: ReadonlySet<string>): Block {
  const random = call.random.fork('interaction');
  const speakers = parties
    .filter(party => party.speakerId !== null)
    .map(({ id, userId }) => ({
      id,
      ...(userId && { userId }),
      talkTime: random.integer(10, call.wire.duration * 10) / 10,
    }));
  const video =
    call.wire.media === 'Video'
      ? [{ name: 'Browser', duration: random.integer(10, call.wire.duration) }]
      : [];
  const stats = ['Talk Ratio', 'Longest Monologue', 'Interactivity', 'Patience'].map((name, index) => ({
    name,
    value: index === 0 ? random.integer(20, 80) / 100 : random.integer(5, 2500) / 10,
  }));
  return {
    ...(asked.has('speakers') && { speakers }),
    ...(asked.has('personInteractionStats') && { interactionStats: stats }),
    ...(asked.has('video') && { video }),
    ...(asked.has('questions') && {
      questions: { companyCount: random.integer(0, 15), nonCompanyCount: random.integer(0, 9) },
    }),
  };
}

function writeComments({ random: inside, wire }: Call, company: GongCompany): Block[] {
  const random = inside.fork('comments');
  if (random.chance(0.85)) return [];
  const commenter = random.pick(company.users());
  return [
    {
      id: random.digits(10),
      audioStartTime: random.integer(1, wire.duration),
      commenterUserId: commenter.id,
      comment: 'Lovely discovery question, worth copying.',
      posted: wire.started,
    },
  ];
}

function writeMedia(call: Call): Block {
  const { id, media } = call.wire;
  const signature = call.random.fork('media').text(24);
  const audioUrl = `https://${MEDIA_HOST}/a/${id}.mp3?sig=${signature}`;
  if (media === 'Audio') return { audioUrl };
  return { audioUrl, videoUrl: `https://${MEDIA_HOST}/v/${id}.mp4?sig=${signature}` };
}
