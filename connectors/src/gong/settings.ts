import { maxAccounts } from '@connector-auth/api';
import { z } from 'zod';
import { en } from './messages/en.ts';
import { id } from './wire.ts';

const words = en.workspaces;

export const settings = z.strictObject({
  workspace_ids: z
    .array(id, words.notAList)
    .min(1, words.none)
    .max(maxAccounts, words.tooMany)
    .optional()
    .meta({
      title: words.title,
      description: words.hint,
      'x-audience': 'customer',
    }),
});
