import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseVendorJson } from '@connector-auth/api';
import { createTransport, isReading } from '@connector-auth/connectors/kind';
import { readApp, readGrant, variablesOf } from '../credentials.ts';
import { loadKind } from '../find-kind.ts';
import { capture } from '../record.ts';
import { describeRequest, origins, writeRecording, type Recording } from '../recording.ts';
import type { Params } from '../session.ts';
import { readCount, type Command, type CommandContext } from './command.ts';

/** Calls the vendor, and stores its responses with other values. */
export const record: Command = {
  usage: 'record <source>',
  summary: 'Call the vendor with credentials from the environment, and store its responses with other values',
  options: {
    keep: {
      type: 'string',
      description: 'Names of fields whose values are stored as they are, separated by commas',
    },
    params: {
      type: 'string',
      description: 'A JSON file with params by "entity.action". Default: recordings/params.json',
    },
    settings: { type: 'string', description: 'The sync settings, as JSON' },
    pages: { type: 'string', description: 'The maximum number of pages of each list. Default: 100' },
    name: { type: 'string', description: 'A name for one of several recordings' },
    origin: {
      type: 'string',
      description: 'vendor, sandbox or documentation. Default: vendor, or sandbox with SANDBOX_URL',
    },
  },
  run: async context => {
    const {
      positionals: [source = ''],
      options,
      directory,
      environment,
      print,
    } = context;
    const kind = await loadKind(source, directory);
    const { SANDBOX_URL: sandboxUrl = '' } = environment;
    const origin = readOrigin(options['origin'] ?? (sandboxUrl === '' ? 'vendor' : 'sandbox'));
    const maxPages = readCount(options, 'pages', 100);
    const settings = readJson('--settings', String(options['settings'] ?? '{}')) as Params;
    const grant = readGrant(kind, environment, settings);
    if (grant === null) {
      print(
        `Set the credentials of ${kind.name} in the environment, for one of its auth methods:\n  ${variablesOf(kind).join('\n  ')}`,
      );
      return 1;
    }
    const params = await readParams(context);
    const changes = Object.keys(params).filter(call => !isReading(call.split('.')[1] ?? ''));
    for (const call of changes) {
      const question = `${call} changes data of ${kind.name}. Call it with ${JSON.stringify(params[call])}?`;
      if (await context.confirm(question)) continue;
      delete params[call];
      print(`! ${call} is not recorded, because it was not confirmed in a terminal.`);
    }
    const captured = await capture({
      kind,
      grant,
      app: readApp(kind, environment),
      transport: createTransport(sandboxUrl === '' ? {} : { sandboxUrl }),
      nowMs: Date.now(),
      origin,
      params,
      maxPages,
      onResponse: (request, { status }) => print(`  ${status} ${describeRequest(request)}`),
    });
    for (const note of captured.notes) print(`! ${note}`);
    let kept = String(options['keep'] ?? '')
      .split(',')
      .flatMap(name => name.trim() || []);
    let recording = await captured.replace(kept);
    if (recording === null) {
      const needed = [...new Set([...kept, ...(await captured.neededFields())])];
      const question = `${kind.name} reads the values of these fields, so they cannot be replaced: ${needed.join(', ')}. Store them as they are?`;
      if (!(await context.confirm(question))) {
        print(`Nothing was stored. To store the values of these fields, add --keep ${needed.join(',')}`);
        return 1;
      }
      kept = needed;
      recording = await captured.replace(kept);
    }
    if (recording === null)
      throw new Error('The source makes other requests each time, so they cannot be recorded');
    const file = join('recordings', `${[kind.key, options['name']].filter(Boolean).join('.')}.json`);
    await writeRecording(join(directory, file), recording);
    print(
      `Stored ${recording.exchanges.length} responses in ${file}. Texts, numbers and times are replaced` +
        (kept.length > 0 ? `, except in ${kept.join(', ')}` : '') +
        '. Read it before you commit it.',
    );
    return 0;
  },
};

function readOrigin(given: unknown): Recording['origin'] {
  const known = origins.find(origin => origin === given);
  if (known === undefined) throw new Error(`--origin must be one of: ${origins.join(', ')}`);
  return known;
}

/** @throws Error that names where the text is from. */
function readJson(where: string, text: string): unknown {
  try {
    return parseVendorJson(text);
  } catch (error) {
    throw new Error(`${where} is not JSON`, { cause: error });
  }
}

async function readParams({ options, directory }: CommandContext): Promise<Record<string, Params>> {
  const given = options['params'];
  const file = String(given ?? 'recordings/params.json');
  const text = await readFile(resolve(directory, file), 'utf8').catch((error: unknown) => {
    if (given === undefined) return '{}';
    throw error;
  });
  // The executor checks the params of each call.
  return readJson(file, text) as Record<string, Params>;
}
