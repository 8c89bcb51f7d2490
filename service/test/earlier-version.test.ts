/** The schema of an earlier version is migrated as planned. `earlier-version.full.test.ts` does the same with data, while that version runs. */
import { kinds } from '@connector-auth/connectors';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { runCommandLine } from '../src/cli/run.ts';
import { createEarlierSchema, fixture } from './earlier-version/fixture.ts';
import { makeEmptyDatabase } from './engines.ts';
import { testTerminal } from './test-terminal.ts';

test(
  'migrates the schema of an earlier version as planned, and PostgreSQL still runs the statements of that version',
  { timeout: 240_000 },
  async () => {
    const { location, remove } = await makeEmptyDatabase('postgres');
    if (!('databaseUrl' in location)) throw new Error('PostgreSQL has a URL');
    const client = new Client({ connectionString: location.databaseUrl });
    await client.connect();
    await createEarlierSchema(client, location.databaseUrl);
    const migrate = async (...args: string[]): Promise<string> => {
      const terminal = testTerminal();
      const environment = { DATABASE_URL: location.databaseUrl };
      expect(await runCommandLine(['migrate', ...args], { environment, terminal, kinds })).toBe(0);
      return terminal.printed();
    };

    const plan = await migrate('--plan');
    expect(plan).toMatch(
      /^pending: migration 0024_grants_to_revoke\n {2}Grants that no connector uses any more /,
    );
    expect(plan).toMatch(
      /migration 0032_\w+\n.*\n {2}Reads or rewrites synced_entities \(\d+ kB\)\. Requests that use synced_entities .* wait meanwhile\./,
    );
    expect(plan).toMatch(
      /migration 0028_\w+\n.*\n {2}Requests that use customers \(\d+ kB\) wait for a moment\./,
    );
    expect(plan).toMatch(
      /index records_gong_calls_\w+\n {2}Reads records_gong_calls \(.*\)\. Requests continue meanwhile\./,
    );
    expect(plan).toMatch(
      /\n\nRequests wait while these tables are read or rewritten, .*: .*synced_entities \(/,
    );
    expect(plan).toContain('\nRunning processes of the earlier version can continue beside this one: ');
    expect(await migrate('--plan')).toBe(plan);
    await migrate();
    expect(await migrate('--plan')).toBe('The database is up to date.');

    const failures: string[] = [];
    const statements = fixture.texts.filter(text => /^\s*(?:select|insert|update|delete|with)\b/i.test(text));
    for (const text of statements) {
      // Planning also finds whether an index has the columns of "on conflict".
      await client.query(`explain (generic_plan) ${text}`).catch((error: unknown) => {
        failures.push(`${String(error)}: ${text.slice(0, 300)}`);
      });
    }
    expect(failures).toEqual([]);
    expect(statements.length).toBeGreaterThan(200);
    await client.end();
    await remove();
  },
);
