/**
 * Creates a connector for each line of a JSON Lines file, whose lines are requests of `connectors.create`, and
 * appends a report for each line to `<file>.report.jsonl`:
 *
 *     node import-tokens.ts rows.jsonl
 *
 * Run it again to continue: lines that are `created` or `rejected` in the report are skipped, unless they have changed.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ConnectorAuthError } from '@connector-auth/api';
import { createClient } from '@connector-auth/api/client';

const { SERVICE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const client = createClient({ baseUrl: SERVICE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });

/** How many lines are imported at the same time. */
const concurrency = 4;

interface Report {
  readonly line: number;
  /** Identifies the content of the line, without revealing it. */
  readonly row: string;
  readonly customer_name?: unknown;
  readonly connector_type?: unknown;
  /** `created`; `rejected` until the line changes; `unfinished` if another run can succeed. */
  readonly result: 'created' | 'rejected' | 'unfinished';
  readonly connector_id?: string;
  readonly code?: string;
  readonly message?: string;
}

interface Line {
  readonly number: number;
  readonly text: string;
  readonly row: string;
}

const [file = ''] = process.argv.slice(2);
if (file === '') {
  console.error('Usage: node import-tokens.ts rows.jsonl');
  process.exit(2);
}
const reportFile = `${file}.report.jsonl`;
const finished = readFinishedRows();
const waiting = readLines().filter(({ row }) => !finished.has(row));
const counts = { created: 0, rejected: 0, unfinished: 0 };
console.log(`${waiting.length} lines to import, ${finished.size} finished earlier`);
await Promise.all(Array.from({ length: concurrency }, importWaiting));
console.log(
  `${counts.created} created, ${counts.rejected} rejected, ${counts.unfinished} unfinished: see ${reportFile}`,
);
process.exitCode = counts.rejected + counts.unfinished > 0 ? 1 : 0;

/** Returns the lines that are not empty. Of equal lines, only one is returned. */
function readLines(): Line[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const byRow = new Map<string, Line>();
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    const row = createHash('sha256').update(text).digest('base64url');
    if (text !== '') byRow.set(row, { number: index + 1, text, row });
  }
  return [...byRow.values()];
}

/** Returns the rows that earlier runs created or that the service rejected. */
function readFinishedRows(): Set<string> {
  if (!existsSync(reportFile)) return new Set();
  const text = readFileSync(reportFile, 'utf8');
  // The end of the file is incomplete if the last run was killed while it wrote a report. The line is imported again.
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  writeFileSync(reportFile, complete);
  const reports = complete.split('\n').filter(Boolean);
  return new Set(
    reports
      .map(report => JSON.parse(report) as Report)
      .filter(({ result }) => result !== 'unfinished')
      .map(({ row }) => row),
  );
}

/** Imports one line after another, until none is left. */
async function importWaiting(): Promise<void> {
  for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
    const report = await importLine(line);
    counts[report.result] += 1;
    appendFileSync(reportFile, `${JSON.stringify(report)}\n`, { mode: 0o600 });
  }
}

async function importLine({ number, text, row }: Line): Promise<Report> {
  let request;
  try {
    request = JSON.parse(text) as Parameters<typeof client.connectors.create>[0];
  } catch {
    // The parser's message would quote the line, which contains secrets.
    return { line: number, row, result: 'rejected', code: 'malformed_request', message: 'Not valid JSON' };
  }
  const { customer_name, connector_type } = request;
  const report = { line: number, row, customer_name, connector_type };
  try {
    // The key returns the same connector if an earlier run was interrupted after the service had created it. The token
    // of the line may work only once, so a second attempt without the key would fail.
    const { id } = await client.connectors.create(request, { idempotencyKey: row });
    return { ...report, result: 'created', connector_id: id };
  } catch (error) {
    if (!(error instanceof ConnectorAuthError)) throw error;
    const { code, message, status } = error;
    return { ...report, result: isFinal(status) ? 'rejected' : 'unfinished', code, message };
  }
}

/** Returns whether the same request would be rejected again: not after a limit, a conflict or a failure. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 408, 409, 429, 499].includes(status);
}
