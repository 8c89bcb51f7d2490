import { z } from 'zod';
import type { AuthMethod } from '../kind/kind.ts';

/**
 * An API key that a user or a workspace admin creates in Granola's settings. Granola's API does not support
 * OAuth.
 */
export const apiKey = {
  id: 'api_key',
  type: 'credentials',
  title: 'API key',
  description: 'Create a key in Granola under Settings → API. Requires a Business or Enterprise plan.',
  helpUrl: 'https://docs.granola.ai/introduction',
  instead: 'Use an API key instead',
  guide: {
    steps: [
      'Open the Granola app and go to Settings → API.',
      'Create a key. Choose whether it reads your own notes or those of the workspace.',
      'Copy the key and paste it here.',
    ],
    // Keys are created in the app, which has no address to link to.
    url: 'https://docs.granola.ai/introduction',
    who: 'You, on a Business or Enterprise plan. Only an admin can create a key for the whole workspace.',
  },
  fields: z.strictObject({
    api_key: z
      .string('Paste the API key')
      .trim()
      .min(1, 'Paste the API key')
      .max(500, 'The API key is too long')
      // Sent in a header.
      .regex(/^[\x21-\x7e]+$/, "An API key can't contain spaces or special characters")
      .meta({
        title: 'API key',
        description: 'Starts with grn_',
        writeOnly: true,
        examples: ['grn_…'],
      }),
  }),
  rejectedField: 'api_key',
  authorize: (request, { credentials }) => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${String(credentials['api_key'])}` },
  }),
  revocation: { pageUrl: 'https://docs.granola.ai/introduction#revoking-an-api-key' },
} satisfies AuthMethod;
