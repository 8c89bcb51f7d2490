import type { Business } from '../invented/businesses.ts';
import { COMPANIES } from '../invented/companies.ts';
import data from './calls.json' with { type: 'json' };

/** The trackers and their keywords. */
export const TRACKERS = data.trackers;

/** What a company's calls are about. Titles have the slots `{us}`, `{client}` and `{product}`. */
export type CallWords = ReturnType<typeof callWordsOf>;

/** Returns the words of a small business, or those of a software company. */
export function callWordsOf(business: Business | undefined) {
  if (!business) return { clients: COMPANIES, products: ['the planning tool'], ...data.software };
  const { clients, products, projects } = business;
  const { titles, topics, briefs, keyPoints } = data.business;
  const forEachProduct = (sentences: readonly string[]) => repeat(sentences, '{product}', products);
  return {
    clients,
    products,
    titles: { ...titles, Internal: repeat(titles.Internal, '{project}', projects) },
    topics: topics.map(topic => ({ ...topic, ours: forEachProduct(topic.ours) })),
    briefs: forEachProduct(briefs),
    keyPoints,
  };
}

/** Repeats each sentence that contains the slot for each value. */
function repeat(sentences: readonly string[], slot: string, values: readonly string[]): string[] {
  return sentences.flatMap(sentence =>
    sentence.includes(slot) ? values.map(value => sentence.replace(slot, value)) : [sentence],
  );
}
