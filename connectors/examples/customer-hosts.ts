import { apiKey, type Api } from '@connector-auth/connectors/rest';
import { z } from 'zod';

// Each customer has an address of their own: `hosts: ['*.forum.example']`.
export const settings = z.strictObject({
  site: z
    .string()
    .regex(/^[a-z0-9-]+\.forum\.example$/)
    .meta({ title: 'Address', description: 'Such as `team.forum.example`', 'x-audience': 'customer' }),
});
export const forum: Api = { name: 'Forum', url: ({ settings: { site } }) => `https://${String(site)}` };

// Each key ends with the data center that it belongs to, such as `-us21`: `hosts: ['*.api.mail.example']`.
const key = apiKey({
  in: { header: 'x-api-key' },
  description: 'Create a key in Mail under Account → API keys.',
  helpUrl: 'https://help.mail.example/api',
});
const apiKeyField = key.fields.shape.api_key.regex(/-[a-z]{2}\d+$/, 'Paste the whole key, such as …-us21');
export const mailKey = { ...key, fields: key.fields.extend({ api_key: apiKeyField }) };
export const mail: Api = {
  name: 'Mail',
  url: ({ credentials }) =>
    `https://${String(credentials['api_key']).split('-').at(-1)}.api.mail.example/3.0`,
};
