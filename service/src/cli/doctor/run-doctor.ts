import { stringifyJson, systemClock } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import {
  readConfiguration,
  readStorageConfiguration,
  type Configuration,
} from '../../platform/config/configuration.ts';
import { ConfigurationError } from '../../platform/config/environment.ts';
import type { Database } from '../../platform/database/database.ts';
import { redactText } from '../../platform/log/log.ts';
import { helpOf, parseArguments, type Syntax } from '../arguments.ts';
import { exitCodes, type CommandContext, type ExitCode } from '../command.ts';
import { count } from '../count.ts';
import { printable, type Terminal } from '../terminal.ts';
import { afterRestoreSyntax, examineRestored } from './after-restore.ts';
import { checkDatabase } from './check-database.ts';
import { checkKeys, readConfiguredRings, type Rings } from './check-keys.ts';
import { checkDataFolder, checkMetrics } from './check-machine.ts';
import { checkAgentSignIn, checkKinds, checkPublicUrl, checkVendors } from './check-network.ts';
import { examineKinds, kindsSyntax } from './examine-kinds.ts';
import { findingsOf, type Finding } from './finding.ts';

const syntax: Syntax = {
  command: 'doctor',
  summary: 'Check the configuration and everything the service depends on, and say what to do',
  options: { json: { value: null, description: 'Print JSON' } },
  notes: [
    'Run it with the variables and as the user of the service, also while the service runs. It changes nothing and\n' +
      'prints no secret. The exit code is 1 if there is a problem.',
    'After a restore, "doctor after-restore" says what the restored database lacks. Before an update of kinds, "doctor kinds" says what\n' +
      'it changes.',
  ],
};

const subcommands: ReadonlyMap<
  string,
  {
    readonly syntax: Syntax;
    readonly run: (context: CommandContext, rest: readonly string[]) => Promise<Finding[]>;
  }
> = new Map([
  ['after-restore', { syntax: afterRestoreSyntax, run: examineRestored }],
  ['kinds', { syntax: kindsSyntax, run: examineKinds }],
]);

/** Runs `doctor`. */
export async function runDoctor(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  const { terminal } = context;
  const subcommand = subcommands.get(args[0] ?? '');
  const { syntax: chosen, run } = subcommand ?? { syntax, run: examine };
  const given = parseArguments(subcommand ? args.slice(1) : args, chosen);
  if (given === null) {
    terminal.print(helpOf(chosen));
    return exitCodes.ok;
  }
  const findings = (await run(context, given.positionals)).map(finding => ({
    ...finding,
    message: printable(redactText(finding.message)),
    advice: finding.advice === null ? null : printable(finding.advice),
  }));
  if (given.has('json')) terminal.print(stringifyJson({ findings }, 2));
  else printFindings(findings, terminal);
  return findings.some(({ state }) => state === 'problem') ? exitCodes.failed : exitCodes.ok;
}

async function examine({ environment, kinds, kindProblems = [] }: CommandContext): Promise<Finding[]> {
  const { findings, configuration } = readSettings({ environment, kinds, kindProblems });
  const storage = configuration ?? orNull(() => readStorageConfiguration(environment));
  if (storage === null) return findings;
  const folder = await checkDataFolder(storage);
  const { findings: aboutDatabase, database } = await checkDatabase(storage, kinds);
  try {
    const rings = await readConfiguredRings(environment);
    const aboutKeys =
      'problem' in rings ? [rings.problem] : await checkKeys(rings, database, systemClock.now());
    const aboutNetwork =
      configuration === null
        ? [findingsOf('network').skipped('The network is checked once the configuration is valid.')]
        : await checkNetwork(configuration, 'problem' in rings ? null : rings, { kinds, database });
    const aboutKinds = await checkKinds(kinds, database);
    return [...findings, ...folder, ...aboutDatabase, ...aboutKinds, ...aboutKeys, ...aboutNetwork];
  } finally {
    await database?.close();
  }
}

function readSettings({
  environment,
  kinds,
  kindProblems,
}: Required<Pick<CommandContext, 'environment' | 'kinds' | 'kindProblems'>>): {
  findings: Finding[];
  configuration: Configuration | null;
} {
  const { ok, warning, problem } = findingsOf('configuration');
  try {
    const variables = kinds.map(({ environmentPrefix, appExtras }) => ({
      prefix: environmentPrefix,
      extras: appExtras ?? null,
    }));
    const { configuration, warnings } = readConfiguration(environment, variables, kindProblems);
    return {
      configuration,
      findings: [ok('The variables are valid.'), ...warnings.map(text => warning(`${text}.`))],
    };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { configuration: null, findings: error.problems.map(text => problem(`${text}.`)) };
  }
}

async function checkNetwork(
  configuration: Configuration,
  rings: Rings | null,
  { kinds, database }: { readonly kinds: readonly Kind[]; readonly database: Database | null },
): Promise<Finding[]> {
  const { publicUrl, trustedProxies, sandboxUrl, metrics } = configuration;
  const { skipped } = findingsOf('public url');
  const aboutUrl =
    publicUrl === null
      ? [skipped('PUBLIC_URL is not set, so the service is reached at its own address only.')]
      : await checkPublicUrl(publicUrl, trustedProxies, {
          signingKeys: rings?.signing ?? null,
          nowMs: systemClock.now(),
        });
  return [
    ...aboutUrl,
    ...(await checkAgentSignIn(publicUrl, database)),
    ...(await checkVendors(kinds, sandboxUrl, database)),
    checkMetrics(metrics),
  ];
}

/** Returns null if the configuration is invalid, which is reported elsewhere. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigurationError) return null;
    throw error;
  }
}

const labelWidth = 'problem'.length;

function printFindings(findings: readonly Finding[], terminal: Terminal): void {
  const checkWidth = Math.max(...findings.map(({ check }) => check.length));
  for (const { check, state, message, advice } of findings) {
    terminal.print(`${state.padEnd(labelWidth)}  ${check.padEnd(checkWidth)}  ${message}`);
    if (advice !== null) terminal.print(`${' '.repeat(labelWidth + checkWidth + 4)}→ ${advice}`);
  }
  const total = (wanted: Finding['state']) => findings.filter(({ state }) => state === wanted).length;
  const counts = [count(total('problem'), 'problem'), count(total('warning'), 'warning')];
  terminal.print(`\n${counts.join(', ')}, ${total('skipped')} not checked.`);
}
