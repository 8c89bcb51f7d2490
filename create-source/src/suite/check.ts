import { ConnectorAuthError } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { PlayOptions, Player } from '../player.ts';
import { short, type RecordedCall, type Recording } from '../recording.ts';

/** What a check found out about one call. */
export interface Finding {
  /** The call, such as `contacts.list`. */
  readonly call: string;
  readonly check: string;
  /** `unproven` if the recording lacks what the check needs. */
  readonly outcome: 'passed' | 'failed' | 'unproven';
  readonly message: string | null;
}

export interface CheckContext {
  readonly kind: Kind;
  readonly recording: Recording;
  /** Opens a session in which the recorded responses answer. */
  readonly play: (options?: PlayOptions) => Player;
}

export interface Check {
  readonly title: string;
  /** Returns whether the check is about the call. */
  readonly isFor: (call: RecordedCall, context: CheckContext) => boolean;
  /** @throws Failure, or Unproven if the recording lacks something. Other errors count as failures. */
  readonly run: (call: RecordedCall, context: CheckContext) => Promise<void>;
}

/** Something that the source does wrong. */
export class Failure extends Error {
  constructor(parts: { readonly sent: string; readonly made: string; readonly expected: string }) {
    super(`The vendor sent ${parts.sent}\nThe source made ${parts.made}\nExpected: ${parts.expected}`);
  }
}

/** Something that the recording is too small for. */
export class Unproven extends Error {}

/** Returns how many pages a call has to read: those that are recorded. */
export function pagesOf({ pages = Infinity }: RecordedCall): number {
  return pages;
}

/** Runs a recorded call. Returns its records, and the texts that leave the kind besides them. */
export async function runCall(player: Player, call: RecordedCall) {
  const { entity, action, params } = call;
  if (action === 'list') {
    const { pages, params: asked } = await player.list(entity, params, pagesOf(call));
    return { records: pages.flat(), other: asked };
  }
  if (action === 'sync') {
    const start = { since: sinceOf(params), position: null };
    const { pages, since } = await player.sync(entity, start, pagesOf(call));
    return { records: pages.flatMap(page => page.records), other: [pages.map(page => page.position), since] };
  }
  const { result, metadata } = await player.execute(entity, action, params);
  return { records: [result], other: [metadata] };
}

export function sinceOf({ since }: RecordedCall['params']): string | null {
  return typeof since === 'string' ? since : null;
}

export function nameOf({ entity, action, params }: RecordedCall): string {
  return `${entity}.${action}${action === 'sync' && sinceOf(params) !== null ? ' (incremental)' : ''}`;
}

export function isFullSync({ action, params }: RecordedCall): boolean {
  return action === 'sync' && sinceOf(params) === null;
}

/** Returns what a function throws, or null. */
export async function errorOf(run: () => Promise<unknown>): Promise<unknown> {
  try {
    await run();
    return null;
  } catch (error) {
    return error;
  }
}

/** Describes an error as a part of a {@link Failure}. */
export function describeError(error: unknown): string {
  if (error === null) return 'no error of it';
  if (error instanceof ConnectorAuthError) return `the error ${error.code}: ${error.message}`;
  return error instanceof Error
    ? `an unexpected ${error.name}: ${short(error.message)}`
    : 'something that is not an error';
}
