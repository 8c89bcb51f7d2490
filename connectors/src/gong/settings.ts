import { maxAccounts } from '@connector-auth/api';
import { z } from 'zod';
import { id } from './wire.ts';

export const settings = z.strictObject({
  workspace_ids: z
    .array(id, 'Enter a list of workspace IDs')
    .min(1, 'Enter at least one workspace ID')
    .max(maxAccounts, 'Enter at most 2,000 workspace IDs')
    .optional()
    .meta({
      title: 'Workspaces',
      description:
        'IDs of the workspaces whose calls to sync. Leave empty to sync all of them. Users belong to the whole company.',
      'x-audience': 'customer',
    }),
});
