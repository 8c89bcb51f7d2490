import { Granola } from '@connector-auth/connectors';

const { SERVICE_URL: baseUrl = '', CLIENT_ID: clientId = '', CLIENT_SECRET: clientSecret = '' } = process.env;
const granola = new Granola({ hosted: { customerName: 'acme', baseUrl, clientId, clientSecret } });
const query = { filter: { keyword: { title: 'renewal' } }, sort: [{ created_at: 'desc' }] } as const;
for await (const note of granola.notes.searchAll({ query })) console.log(note.title);
