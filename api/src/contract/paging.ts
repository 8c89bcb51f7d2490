import { z } from 'zod';
import { wholeNumber } from './whole-number.ts';

/** Query parameters for a paged list. */
export const pageQuery = {
  limit: wholeNumber(1, 1000).optional().meta({ description: 'Page size, 100 if omitted' }),
  cursor: z.string().min(1).max(1000).optional().meta({ description: '`meta.cursor` of the previous page' }),
};

/** Paging information in a response. `cursor` is null on the last page. */
export const pageMeta = z.object({ cursor: z.string().nullable(), has_more: z.boolean() });
export type PageMeta = z.infer<typeof pageMeta>;
