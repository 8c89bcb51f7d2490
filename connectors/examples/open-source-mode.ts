import { Granola } from '@connector-auth/connectors';

const granola = new Granola({ credentials: { api_key: process.env.GRANOLA_API_KEY ?? '' } });
const { result, connector_metadata } = await granola.notes.list({ page_size: 10 });
console.log(result.length, connector_metadata.has_more); // The result of search is { data, meta } instead.
for await (const note of granola.notes.listAll({ created_after: '2026-01-01' })) console.log(note.title);
