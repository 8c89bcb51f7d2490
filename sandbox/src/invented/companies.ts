import data from './companies.json' with { type: 'json' };

/** A fictional company. */
export interface Company {
  readonly name: string;
  readonly domain: string;
}

/** Fictional companies, all under the reserved domain `.example`. */
export const COMPANIES: readonly Company[] = data;
