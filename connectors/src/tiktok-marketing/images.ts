import type { z } from 'zod';
import { listedEntity } from './listed.ts';
import { en } from './messages/en.ts';
import { recordOf } from './record.ts';
import { searchFields } from './search.ts';

/** An image. `image_url` is a signed URL that expires after an hour. */
export const image = recordOf({
  'string?': [
    'image_id',
    'format',
    'image_url',
    'signature',
    'material_id',
    'file_name',
    'create_time',
    'modify_time',
  ],
  'integer?': ['height', 'width', 'size'],
  'boolean?': ['is_carousel_usable', 'displayable'],
});
export type Image = z.infer<typeof image>;

export const images = listedEntity({
  ...en.images,
  description: 'Images in the creative library',
  summary: "List an advertiser's images",
  path: '/file/image/ad/search/',
  record: image,
  maxPageSize: 100,
  search: {
    fields: searchFields(image, [
      'height',
      'size',
      'width',
      'create_time',
      'file_name',
      'format',
      'image_id',
      'image_url',
      'modify_time',
    ]),
    primaryKey: ['image_id'],
    indexed: ['create_time', 'modify_time'],
    text: ['file_name'],
    times: ['create_time', 'modify_time'],
  },
});
