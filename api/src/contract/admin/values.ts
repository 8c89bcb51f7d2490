import { z } from 'zod';
import { timestamp } from '../names.ts';

/** A query parameter that is true if it is present with the value `true`. */
export const flag = z
  .enum(['true', 'false'])
  .transform(text => text === 'true')
  .optional();

/** A point in time that the service requires to be in the future. */
export const future = timestamp.meta({ description: 'ISO 8601, UTC; must be in the future' });
