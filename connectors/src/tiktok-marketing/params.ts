import { parseJson } from '@connector-auth/api';
import { z } from 'zod';

const advertiserIdPattern = /^\d{1,20}$/;

/** An advertiser's id: a string, since it has more digits than a JSON number keeps. */
export const advertiserId = z
  .string('Give the advertiser id as a string')
  .regex(advertiserIdPattern, 'An advertiser id is made of digits only');

/** `advertiser_ids`: a JSON array of ids, encoded as a string; at most 100, TikTok's limit. */
export const advertiserIds = jsonArray({
  item: value => typeof value === 'string' && advertiserIdPattern.test(value),
  itemMessage: 'Write each id as a string of digits, e.g. ["7210046633581101057"]',
  maxItems: 100,
});

/** `dimensions` and `metrics`: a JSON array of names, encoded as a string. */
export const names = jsonArray({
  item: value => typeof value === 'string' && /^[a-z][a-z0-9_]*$/.test(value),
  itemMessage: 'Write each name in lower case, e.g. ["spend"]',
  maxItems: 200,
});

/** A word such as the example. Which ones exist is TikTok's to say. */
export function constant(example: string) {
  return z
    .string(`Give a word such as ${example}`)
    .regex(/^[A-Z][A-Z0-9_]*$/, `Write it in capitals, e.g. ${example}`);
}

export const date = z.iso.date('Write the date as YYYY-MM-DD');

/** `page` and `page_size`; the size asked for when there is none is the largest: fewer calls for the same records. */
export function pageParams(maxPageSize: number) {
  return {
    page: z.int('Give a whole number').min(1, 'Pages start at 1').optional().describe('Page number, from 1'),
    page_size: z
      .int('Give a whole number')
      .min(1, 'At least 1')
      .max(maxPageSize, `TikTok gives at most ${maxPageSize} a page here`)
      .optional()
      .describe(`Records per page, ${maxPageSize} when absent`),
  };
}

interface JsonArrayRule {
  item: (value: unknown) => boolean;
  itemMessage: string;
  maxItems: number;
}

function jsonArray({ item, itemMessage, maxItems }: JsonArrayRule) {
  return z.string('Give a JSON array, encoded as a string').superRefine((text, context) => {
    const values = parseArray(text);
    if (values === null) {
      context.addIssue({ code: 'custom', message: `This is not a JSON array. ${itemMessage}` });
      return;
    }
    if (values.length === 0) context.addIssue({ code: 'custom', message: 'Name at least one' });
    if (values.length > maxItems) {
      context.addIssue({ code: 'custom', message: `At most ${maxItems}; these are ${values.length}` });
    }
    for (const [index, value] of values.entries()) {
      if (!item(value)) context.addIssue({ code: 'custom', message: itemMessage, path: [index] });
    }
  });
}

/** The elements of a JSON array in a string; null when it is none. */
export function parseArray(text: string): readonly unknown[] | null {
  try {
    const value = parseJson(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
