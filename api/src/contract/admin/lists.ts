import { z } from 'zod';
import { cleanText, readable } from '../names.ts';
import { pageQuery } from '../paging.ts';

/** Returns the query parameters of a searchable, sorted list. `-` before a sort key reverses the order. */
export function listQuery<const Keys extends readonly [string, ...string[]]>(sortKeys: Keys) {
  const descending = sortKeys.map(key => `-${key}` as const) as { [I in keyof Keys]: `-${Keys[I]}` };
  return {
    search: z
      .string()
      .min(1)
      .max(200)
      .regex(cleanText, 'Must not contain control characters or lone surrogates')
      .optional()
      .meta({ description: 'Part of a name, in any case' }),
    sort: z.enum([...sortKeys, ...descending]).optional(),
    ...pageQuery,
  };
}

/** A name that operators choose. */
export const operatorName = readable(z.string().trim().min(1, 'Must not be blank').max(200));

/**
 * The version of the object that the operator has seen. A change with an older version is rejected, so that
 * operators do not overwrite each other's changes.
 */
export const seenVersion = z
  .int()
  .min(1)
  .meta({ description: '`version` from the response that the change is based on' });

/** A resource that another one belongs to or refers to. */
export const reference = z.object({ id: z.uuid(), name: z.string() });
export type Reference = z.infer<typeof reference>;
