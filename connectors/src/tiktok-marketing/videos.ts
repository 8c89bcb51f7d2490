import type { z } from 'zod';
import { listedEntity } from './listed.ts';
import { en } from './messages/en.ts';
import { recordOf } from './record.ts';
import { searchFields } from './search.ts';

/** A video. Its cover and preview URLs are signed and expire after six hours. */
export const video = recordOf({
  'string?': [
    'video_id',
    'video_cover_url',
    'format',
    'preview_url',
    'preview_url_expire_time',
    'signature',
    'material_id',
    'file_name',
    'create_time',
    'modify_time',
    'fix_task_id',
  ],
  'number?': ['duration', 'bit_rate'],
  'integer?': ['height', 'width', 'size'],
  'array?': ['allowed_placements', 'flaw_types'],
  'boolean?': ['allow_download', 'displayable'],
});
export type Video = z.infer<typeof video>;

export const videos = listedEntity({
  ...en.videos,
  description: 'Videos in the creative library',
  summary: "List an advertiser's 10,000 most recently modified videos",
  path: '/file/video/ad/search/',
  record: video,
  maxPageSize: 100,
  search: {
    fields: searchFields(video, [
      'height',
      'size',
      'width',
      'duration',
      'create_time',
      'file_name',
      'format',
      'modify_time',
      'video_cover_url',
      'video_id',
    ]),
    primaryKey: ['video_id'],
    indexed: ['create_time', 'modify_time', 'duration'],
    text: ['file_name'],
    times: ['create_time', 'modify_time'],
  },
});
