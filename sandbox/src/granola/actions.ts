import { COMPANIES } from '../invented/companies.ts';
import type { Clock } from '../simulator/clock.ts';
import type { Random } from '../simulator/random.ts';
import { SandboxError } from '../simulator/sandbox-error.ts';
import type { Simulation } from '../simulator/vendor.ts';
import { GRANOLA_ACCOUNTS, GRANOLA_KEYS } from './accounts.ts';
import { inventNote, type Note } from './note.ts';
import { toWireSummary } from './to-wire.ts';
import type { WireNoteSummary } from './wire.ts';
import type { Workspace } from './workspace.ts';

/** What can be made to happen in this vendor's world; `account` is `lumen` unless told. */
export interface ActionParts {
  readonly random: Random;
  readonly clock: Clock;
  workspace(account: string): Workspace;
  /** Keys refused besides the documented ones. */
  readonly revokedKeys: Set<string>;
}

/** Each moves time on: a changed note is newer than everything before it. */
export function granolaActions(parts: ActionParts): NonNullable<Simulation['actions']> {
  let changes = 0;
  // After the data's end and a minute apart, so that every change is newer than the one before.
  const nextMoment = (): number => parts.clock.dataNow.getTime() + ++changes * 60_000;
  const workspaceOf = (input: Readonly<Record<string, unknown>>): Workspace => {
    const { account = 'lumen' } = input;
    if (typeof account === 'string' && GRANOLA_ACCOUNTS.some(({ id }) => id === account)) {
      return parts.workspace(account);
    }
    throw new SandboxError(`"account" must be one of ${GRANOLA_ACCOUNTS.map(({ id }) => id).join(', ')}`);
  };
  const noteOf = (input: Readonly<Record<string, unknown>>): Note => {
    const note = workspaceOf(input).find(String(input['id']));
    if (!note) throw new SandboxError('"id" is not a note of this account');
    return note;
  };

  return {
    /** `{account?, title?}` → the note, the newest of all. */
    'add-note': input => {
      const workspace = workspaceOf(input);
      const at = nextMoment();
      const { members, folders, account } = workspace;
      const context = { members, folders, account, clients: COMPANIES, dataNow: at };
      const invented = inventNote(context, parts.random.fork('added', changes), { index: 0, count: 1 });
      const { title } = input;
      const note = { ...invented, createdMs: at, updatedMs: at, ...(typeof title === 'string' && { title }) };
      workspace.add(note);
      return toWireSummary(note);
    },
    /** `{account?, id, title}` → the note, changed now. */
    'edit-note': (input): WireNoteSummary => {
      const note = noteOf(input);
      if (typeof input['title'] !== 'string') throw new SandboxError('"title" must be a string');
      note.title = input['title'];
      note.updatedMs = nextMoment();
      return toWireSummary(note);
    },
    /** `{account?, id}`: gone for good. */
    'delete-note': input => ({ deleted: workspaceOf(input).remove(noteOf(input).id) }),
    /** `{account?}` → those whose summary is not finished, now finished. */
    'finish-notes': input => {
      const finished = workspaceOf(input)
        .notes()
        .filter(note => !note.isFinished);
      for (const note of finished) note.isFinished = true;
      return finished.map(toWireSummary);
    },
    /** `{key}`: answers 401 from now on. */
    'revoke-key': input => {
      parts.revokedKeys.add(knownKey(input));
      return { revoked: true };
    },
    /** `{key}`: works again. */
    'restore-key': input => ({ restored: parts.revokedKeys.delete(knownKey(input)) }),
  };
}

function knownKey({ key }: Readonly<Record<string, unknown>>): string {
  if (typeof key === 'string' && GRANOLA_KEYS.some(known => known.key === key)) return key;
  throw new SandboxError('"key" must be one of the documented keys');
}
