// Open source mode: your key, your process, no service.
// GRANOLA_API_KEY=grn_… node examples/list-notes.ts
import { Granola } from '@connector-auth/connectors';

const granola = new Granola({ credentials: { api_key: process.env['GRANOLA_API_KEY'] ?? '' } });

for await (const note of granola.notes.listAll({ created_after: '2026-01-01' })) {
  console.log(note.created_at, note.title);
}
