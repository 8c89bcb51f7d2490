import type { Clock } from '../simulator/clock.ts';
import type { Random } from '../simulator/random.ts';
import { SandboxError } from '../simulator/sandbox-error.ts';
import type { Simulation } from '../simulator/vendor.ts';
import { GRANOLA_ACCOUNTS, GRANOLA_KEYS } from './accounts.ts';
import { inventNote, type Note } from './note.ts';
import { toWireSummary } from './to-wire.ts';
import type { Workspace } from './workspace.ts';

/** The dependencies of the actions. */
export interface ActionParts {
  readonly random: Random;
  readonly clock: Clock;
  workspace(account: string): Workspace;
  /** The keys that an action has revoked. */
  readonly revokedKeys: Set<string>;
}

/** Granola's actions. `account` defaults to `lumen`. A changed note becomes the newest one. */
export function granolaActions(parts: ActionParts): NonNullable<Simulation['actions']> {
  let changes = 0;
  // Times start after the generated data ends and are a minute apart, so that every change is newer than the
  // previous one.
  const nextTime = (): number => parts.clock.dataNow.getTime() + ++changes * 60_000;
  const workspaceOf = (input: Readonly<Record<string, unknown>>): Workspace => {
    const { account = 'lumen' } = input;
    if (typeof account === 'string' && GRANOLA_ACCOUNTS.some(({ id }) => id === account)) {
      return parts.workspace(account);
    }
    throw new SandboxError(`"account" must be one of ${GRANOLA_ACCOUNTS.map(({ id }) => id).join(', ')}`);
  };
  const noteOf = (input: Readonly<Record<string, unknown>>): Note => {
    const note = workspaceOf(input).find(String(input['id']));
    if (!note) throw new SandboxError('"id" must be the id of a note in this account');
    return note;
  };

  return {
    /** Input `{account?, title?}`. Adds a note that is newer than all others, and returns it. */
    'add-note': input => {
      const workspace = workspaceOf(input);
      const at = nextTime();
      const context = { ...workspace, dataNow: at };
      const invented = inventNote(context, parts.random.fork('added', changes), { index: 0, count: 1 });
      const { title } = input;
      const note = { ...invented, createdMs: at, updatedMs: at, ...(typeof title === 'string' && { title }) };
      workspace.add(note);
      return toWireSummary(note);
    },
    /** Input `{account?, id, title}`. Changes the note's title and returns the note. */
    'edit-note': input => {
      const note = noteOf(input);
      if (typeof input['title'] !== 'string') throw new SandboxError('"title" must be a string');
      note.title = input['title'];
      note.updatedMs = nextTime();
      return toWireSummary(note);
    },
    /** Input `{account?, id}`. Deletes the note. */
    'delete-note': input => ({ deleted: workspaceOf(input).remove(noteOf(input).id) }),
    /** Input `{account?}`. Finishes the unfinished notes and returns them. */
    'finish-notes': input => {
      const finished = workspaceOf(input)
        .notes()
        .filter(note => !note.isFinished);
      for (const note of finished) note.isFinished = true;
      return finished.map(toWireSummary);
    },
    /** Input `{key}`. Revokes the key, so that requests with it return 401. */
    'revoke-key': input => {
      parts.revokedKeys.add(knownKey(input));
      return { revoked: true };
    },
    /** Input `{key}`. Restores a revoked key. */
    'restore-key': input => ({ restored: parts.revokedKeys.delete(knownKey(input)) }),
  };
}

function knownKey({ key }: Readonly<Record<string, unknown>>): string {
  if (typeof key === 'string' && GRANOLA_KEYS.some(known => known.key === key)) return key;
  throw new SandboxError('"key" must be one of the documented keys');
}
