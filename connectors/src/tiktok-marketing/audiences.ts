import type { z } from 'zod';
import { listedEntity } from './listed.ts';
import { en } from './messages/en.ts';
import { recordOf } from './record.ts';
import { searchFields } from './search.ts';

export const audience = recordOf({
  'string?': ['audience_id', 'name', 'audience_type', 'calculate_type', 'create_time', 'expired_time'],
  'integer?': ['cover_num'],
  'boolean?': ['is_valid', 'is_expiring', 'is_creator', 'shared'],
});
export type Audience = z.infer<typeof audience>;

export const audiences = listedEntity({
  ...en.audiences,
  description: 'Custom and lookalike audiences',
  summary: "List an advertiser's audiences",
  path: '/dmp/custom_audience/list/',
  record: audience,
  maxPageSize: 100,
  search: {
    fields: searchFields(audience, [
      'cover_num',
      'is_valid',
      'shared',
      'audience_id',
      'audience_type',
      'create_time',
      'name',
    ]),
    primaryKey: ['audience_id'],
    indexed: ['create_time', 'audience_type'],
    text: ['name'],
    times: ['create_time'],
  },
});
