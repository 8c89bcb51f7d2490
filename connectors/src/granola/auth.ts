import { z } from 'zod';
import type { AuthMethod } from '../kind/kind.ts';
import { pasted, withAccess } from '../rest/auth.ts';
import { en } from './messages/en.ts';

const words = en.apiKey;

/**
 * An API key that a user or a workspace admin creates in Granola's settings. Granola's API does not support
 * OAuth.
 */
export const apiKey = {
  id: 'api_key',
  type: 'credentials',
  title: words.title,
  description: words.description,
  helpUrl: 'https://docs.granola.ai/introduction',
  instead: words.instead,
  guide: {
    steps: words.steps,
    // Keys are created in the app, which has no address to link to.
    url: 'https://docs.granola.ai/introduction',
    who: words.who,
  },
  fields: z.strictObject({
    api_key: pasted(words, { max: 500 }).meta({
      title: words.title,
      description: words.hint,
      writeOnly: true,
      examples: ['grn_…'],
    }),
  }),
  rejectedField: 'api_key',
  authorize: (request, { credentials }) => withAccess(request, String(credentials['api_key'])),
  revocation: { pageUrl: 'https://docs.granola.ai/introduction#revoking-an-api-key' },
} satisfies AuthMethod;
