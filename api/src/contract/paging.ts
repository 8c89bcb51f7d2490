import { z } from 'zod';
import { wholeNumber } from './whole-number.ts';

/** Query parameters of a paged list. */
export const pageQuery = {
  limit: wholeNumber(1, 1000).optional().meta({ description: 'Page size, 100 when absent' }),
  cursor: z.string().min(1).max(1000).optional().meta({ description: "The previous page's `meta.cursor`" }),
};

/** Where a page stands; `cursor` is null on the last one. */
export const pageMeta = z.object({ cursor: z.string().nullable(), has_more: z.boolean() });
export type PageMeta = z.infer<typeof pageMeta>;
