import { parseJson } from '@connector-auth/api';
import { z } from 'zod';

const advertiserIdPattern = /^\d{1,20}$/;

/** An advertiser's id: a string, since it has more digits than a JSON number keeps. */
export const advertiserId = z
  .string('Write the advertiser ID as a string')
  .regex(advertiserIdPattern, 'An advertiser ID contains only digits');

/** `advertiser_ids`: a JSON array of ids, encoded as a string; at most 100, TikTok's limit. */
export const advertiserIds = jsonArray({
  item: value => typeof value === 'string' && advertiserIdPattern.test(value),
  itemMessage: 'Write each ID as a string of digits, such as ["7210046633581101057"]',
  maxItems: 100,
});

/** `dimensions` and `metrics`: a JSON array of names, encoded as a string. */
export const names = jsonArray({
  item: value => typeof value === 'string' && /^[a-z][a-z0-9_]*$/.test(value),
  itemMessage: 'Write each name in lower case, such as ["spend"]',
  maxItems: 200,
});

/** A word such as the example. Which ones exist is TikTok's to say. */
export function constant(example: string) {
  return z
    .string(`Must be a constant such as ${example}`)
    .regex(/^[A-Z][A-Z0-9_]*$/, `Must be in capitals, such as ${example}`);
}

export const date = z.iso.date('Use the format YYYY-MM-DD');

/** `page` and `page_size`; the size asked for when there is none is the largest: fewer calls for the same records. */
export function pageParams(maxPageSize: number) {
  return {
    page: z.int().min(1).optional().describe('Page number, starting at 1'),
    page_size: z
      .int()
      .min(1)
      .max(maxPageSize)
      .optional()
      .describe(`Records per page. Default: ${maxPageSize}.`),
  };
}

interface JsonArrayRule {
  item: (value: unknown) => boolean;
  itemMessage: string;
  maxItems: number;
}

function jsonArray({ item, itemMessage, maxItems }: JsonArrayRule) {
  return z.string('Must be a JSON array encoded as a string').superRefine((text, context) => {
    const values = parseArray(text);
    if (values === null) {
      context.addIssue({ code: 'custom', message: `Not a JSON array. ${itemMessage}` });
      return;
    }
    if (values.length === 0) context.addIssue({ code: 'custom', message: 'Must not be empty' });
    if (values.length > maxItems) {
      context.addIssue({
        code: 'custom',
        message: `Must contain at most ${maxItems} items, not ${values.length}`,
      });
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
