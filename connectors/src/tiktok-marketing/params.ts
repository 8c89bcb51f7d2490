import { parseUntrustedJson } from '@connector-auth/api';
import { z } from 'zod';
import { en } from './messages/en.ts';

const advertiserIdPattern = /^\d{1,20}$/;

/**
 * Schema for an advertiser id. Ids are strings, because they have more digits than a JSON number can
 * represent exactly.
 */
export const advertiserId = z
  .string('Write the advertiser ID as a string')
  .regex(advertiserIdPattern, en.advertiserIds.digits);

/** Schema for `advertiser_ids`: a JSON array of up to 100 ids (TikTok's limit), encoded as a string. */
export const advertiserIds = jsonArray({
  item: value => typeof value === 'string' && advertiserIdPattern.test(value),
  itemMessage: 'Write each ID as a string of digits, such as ["7210046633581101057"]',
  maxItems: 100,
});

/** Schema for `dimensions` and `metrics`: a JSON array of names, encoded as a string. */
export const names = jsonArray({
  item: value => typeof value === 'string' && /^[a-z][a-z0-9_]*$/.test(value),
  itemMessage: 'Write each name in lower case, such as ["spend"]',
  maxItems: 200,
});

/** Creates a schema for constants such as `example`. TikTok itself rejects unknown constants. */
export function constant(example: string) {
  return z
    .string(`Must be a constant such as ${example}`)
    .regex(/^[A-Z][A-Z0-9_]*$/, `Must be in capitals, such as ${example}`);
}

export const date = z.iso.date(en.startDate.format);

/**
 * Creates the schemas for `page` and `page_size`. The default page size is the maximum, which minimizes the
 * number of calls.
 */
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

/** Parses a JSON array from a string. Returns null if the string does not contain one. */
export function parseArray(text: string): readonly unknown[] | null {
  try {
    const value = parseUntrustedJson(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
