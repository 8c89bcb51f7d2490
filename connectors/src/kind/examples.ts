import { readFileSync } from 'node:fs';
// oxlint-disable-next-line no-restricted-imports -- reads a file of this package
import { parseJson } from '@connector-auth/api';
import type { Kind } from './kind.ts';

/** A recorded call of the sandbox. Lists in its response are shortened to two elements. */
export interface Example {
  readonly params: unknown;
  /** The response of execute: `{result, connector_metadata}`. */
  readonly response: unknown;
}

/** Recorded calls by entity and action, including `search`. */
export type Examples = Readonly<Record<string, Readonly<Record<string, Example>>>>;

/** Reads the recorded calls of a kind. A kind that declares none has none. */
export function readExamples({ examples }: Pick<Kind, 'examples'>): Examples {
  if (!examples) return {};
  // A test records the file, so it has this shape.
  return parseJson(readFileSync(examples(), 'utf8')) as Examples;
}
