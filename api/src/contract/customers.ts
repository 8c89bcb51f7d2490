import { z } from 'zod';
import { timestamp, uuid } from './names.ts';
import { pageMeta, pageQuery } from './paging.ts';

const customer = z.object({ id: uuid, name: z.string(), created_at: timestamp });
export type Customer = z.infer<typeof customer>;

export const listCustomersQuery = z.strictObject({ ...pageQuery });
export const listCustomersResponse = z.object({ data: z.array(customer), meta: pageMeta });
export type ListCustomersResponse = z.infer<typeof listCustomersResponse>;
