import { z } from 'zod';

/** An integer of up to 19 digits, which is a `bigint` outside the safe range. */
export const integer = z.union([z.int(), z.bigint()]);
