import type { Business } from '../invented/businesses.ts';
import { COMPANIES, type Company } from '../invented/companies.ts';
import { BRIEFS, TOPICS, type Topic } from './speech.ts';

/** What a company's calls are about. Titles have the slots `{us}`, `{client}` and `{product}`. */
export interface CallWords {
  readonly clients: readonly Company[];
  readonly products: readonly string[];
  readonly titles: Readonly<Record<'External' | 'Internal', readonly string[]>>;
  readonly topics: readonly Topic[];
  readonly briefs: readonly string[];
  readonly keyPoints: readonly string[];
}

const SOFTWARE_COMPANY: CallWords = {
  clients: COMPANIES,
  products: ['the planning tool'],
  titles: {
    External: [
      '{us} x {client} - demo',
      'Discovery - {client}',
      '{client}: pricing & next steps',
      'QBR {client}',
      '{client} <> {us} | onboarding',
      'Renewal {client}',
      '{client} – security review',
      'Überblick für {client}',
      '{client} 様 定例ミーティング',
      'Call with {client} ☎️',
    ],
    Internal: [
      'Internal pipeline review',
      'Deal desk',
      'Forecast call',
      '1:1 coaching',
      'Team stand-up',
      'Win/loss: {client}',
    ],
  },
  topics: TOPICS,
  briefs: BRIEFS,
  keyPoints: ['Budget confirmed', 'Works council must agree', 'Pilot on four sites'],
};

/** Returns the words of a small business, or those of a software company. */
export function callWordsOf(business: Business | undefined): CallWords {
  if (!business) return SOFTWARE_COMPANY;
  const { clients, products, projects } = business;
  return {
    clients,
    products,
    titles: {
      External: [
        '{client}: {product}',
        'First call with {client}',
        'Quote for {client} – {product}',
        '{client}: prices & next steps',
        '{client} <> {us} | contract',
        'Renewal {client}',
        'Call with {client} ☎️',
      ],
      Internal: ['Weekly orders', '1:1 coaching', 'Team stand-up', ...projects.map(name => `Plan: ${name}`)],
    },
    topics: [
      {
        name: 'Introduction',
        ours: ['Thanks for taking the time.', 'Shall I record this, is that fine with you?'],
        theirs: ['Glad to talk.', 'Yes, recording is fine.', 'I have about half an hour.'],
      },
      {
        name: 'Current situation',
        ours: ['How do you do this today?', 'What would you change first?'],
        theirs: [
          'We have another supplier, and they are often late.',
          'One person here does it all by phone.',
        ],
      },
      {
        name: 'Product',
        ours: products.map(product => `We can start with ${product}.`),
        theirs: ['Would that work at all our sites?', 'That is what we are looking for.'],
      },
      {
        name: 'Pricing',
        ours: ['A year gives you a discount.', 'I can send you both variants.'],
        theirs: ['We have another offer that is a little lower.', 'That is within what we had in mind.'],
      },
      { name: null, ours: ['Right.', 'Exactly.'], theirs: ['Mm-hm.', 'Makes sense.'] },
      {
        name: 'Next steps',
        ours: ['I will send the quote by Thursday.', 'Shall we put the next call in the calendar?'],
        theirs: ['Please copy my colleague.', 'Next Tuesday works.'],
      },
    ],
    briefs: products.map(product => `They asked about ${product}; the next step is a quote.`),
    keyPoints: ['Budget confirmed', 'Finance must agree', 'Starts with one site'],
  };
}
