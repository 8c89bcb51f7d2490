import { ConnectorAuthError, Granola } from '@connector-auth/connectors';
import { createTransport } from '@connector-auth/connectors/kind';

const { GRANOLA_API_KEY = 'grn_sandbox_demo', SANDBOX_URL } = process.env;
const granola = new Granola({
  credentials: { api_key: GRANOLA_API_KEY },
  // Without this line, the calls go to Granola.
  ...(SANDBOX_URL ? { transport: createTransport({ sandboxUrl: SANDBOX_URL }) } : {}),
});

try {
  // One page.
  const { result, connector_metadata } = await granola.notes.list({ page_size: 3 });
  for (const { created_at, title } of result) console.log(created_at, title);
  console.log(connector_metadata.has_more ? 'There are more.' : 'That was all.');

  // One note with its transcript.
  const [first] = result;
  if (first) {
    const { result: note } = await granola.notes.get({ note_id: first.id, include: 'transcript' });
    console.log(`“${note.title}” has ${note.transcript?.length ?? 0} transcript entries.`);
  }

  // All notes since a day, page by page as you read them.
  let count = 0;
  for await (const _note of granola.notes.listAll({ created_after: '2026-11-01' })) count += 1;
  console.log(`${count} notes since 2026-11-01.`);
} catch (error) {
  if (!(error instanceof ConnectorAuthError)) throw error;
  // The code is from a closed list, e.g. vendor_rejected_credentials.
  console.error(error.code, error.message);
  process.exitCode = 1;
}
