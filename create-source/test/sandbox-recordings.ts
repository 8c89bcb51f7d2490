import { findKind } from '@connector-auth/connectors';
import { createTransport, credentialVariable, type Kind } from '@connector-auth/connectors/kind';
import type { RunningSandbox } from '@connector-auth/sandbox';
import { readGrant } from '../src/credentials.ts';
import { capture, type Capture, type RecordOptions } from '../src/record.ts';
import type { Recording } from '../src/recording.ts';
import type { Finding } from '../src/suite/check.ts';
import { testSource } from '../src/test-source.ts';

/** Captures what the sandbox sends to a built-in kind. */
export async function captureFromSandbox(
  sandbox: RunningSandbox,
  kind: Kind,
  {
    settings = {},
    ...options
  }: Partial<RecordOptions> & { readonly settings?: Record<string, unknown> } = {},
): Promise<Capture> {
  const vendor = sandbox.control.vendors().find(({ key }) => key === kind.key);
  const values = vendor?.credentials.find(({ works }) => works)?.values ?? {};
  const environment = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [credentialVariable(kind, name), value]),
  );
  const grant = readGrant(kind, environment, settings);
  if (grant === null) throw new Error(`The sandbox has no credentials for ${kind.key}`);
  return capture({
    kind,
    grant,
    app: null,
    transport: createTransport({ sandboxUrl: sandbox.url }),
    nowMs: Date.parse('2026-11-20T12:00:00Z'),
    origin: 'sandbox',
    params: {},
    maxPages: 100,
    ...options,
  });
}

export async function recordFromCapture(captured: Capture): Promise<Recording> {
  const recording = await captured.replace(await captured.neededFields());
  if (recording === null) throw new Error('The kind does something else with replaced values');
  return recording;
}

/** Returns the findings of all checks that did not pass. */
export async function findProblems(kind: Kind, recording: Recording): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of testSource(kind, recording))
    if (finding.outcome !== 'passed') findings.push(finding);
  return findings;
}

export function builtIn(key: 'granola' | 'gong' | 'google-ads' | 'tiktok-marketing'): Kind {
  const kind = findKind(key);
  if (kind === null) throw new Error(`There is no kind ${key}`);
  return kind;
}
