import { z } from 'zod';
import { timestamp } from './names.ts';
import { pageMeta, pageQuery } from './paging.ts';

/** What happened to a connector, as far as its customer may see it. */
const activityEntry = z.object({
  id: z.string(),
  at: timestamp,
  actor: z.enum(['customer', 'integrator', 'operator', 'sync']),
  action: z.string().meta({ description: 'Such as `list`, `sync` or `connector.reconnected`' }),
  entity: z.string().nullable(),
  outcome: z.string().meta({ description: '`ok` or a problem code' }),
  records: z.int().nullable(),
});
export type ActivityEntry = z.infer<typeof activityEntry>;

export const listActivityQuery = z.strictObject(pageQuery);
export const listActivityResponse = z.object({ data: z.array(activityEntry), meta: pageMeta });
export type ListActivityResponse = z.infer<typeof listActivityResponse>;
