import { inventPeople, type Person } from '../invented/people.ts';
import type { Clock } from '../simulator/clock.ts';
import type { Random } from '../simulator/random.ts';
import type { GranolaAccount } from './accounts.ts';
import { meetingWordsOf, type MeetingWords } from './meeting-words.ts';
import { inventNote, UNFINISHED_COUNT, type Note } from './note.ts';
import type { WireFolder } from './wire.ts';

/** One account's notes, people and folders. */
export interface Workspace {
  readonly account: GranolaAccount;
  readonly members: readonly Person[];
  readonly folders: readonly WireFolder[];
  readonly words: MeetingWords;
  /** Lists the notes, newest first. */
  notes(): readonly Note[];
  find(id: string): Note | undefined;
  /** Adds a note in creation order. */
  add(note: Note): void;
  /** Deletes a note; returns false if the id is unknown. */
  remove(id: string): boolean;
}

const CHILD_FOLDERS: Readonly<Record<string, string>> = {
  Sales: 'Pipeline',
  Engineering: 'Delivery',
  Product: 'Research',
};

/** Generates a workspace. The same random source always produces the same workspace. */
export function inventWorkspace(account: GranolaAccount, random: Random, clock: Clock): Workspace {
  const members = inventPeople(random.fork('members'), account.domain, account.memberCount);
  const words = meetingWordsOf(account.business);
  const folders = inventFolders(words, random.fork('folders'));
  const context = { account, members, folders, words, dataNow: clock.dataNow.getTime() };
  const count = account.noteCount === 0 ? 0 : account.noteCount + UNFINISHED_COUNT;
  const notes = Array.from({ length: count }, (_, index) =>
    inventNote(context, random.fork('note', index), { index, count }),
  ).sort(newestFirst);
  return {
    account,
    members,
    folders,
    words,
    notes: () => notes,
    find: id => notes.find(note => note.id === id),
    add: note => {
      notes.push(note);
      notes.sort(newestFirst);
    },
    remove: id => {
      const index = notes.findIndex(note => note.id === id);
      if (index !== -1) notes.splice(index, 1);
      return index !== -1;
    },
  };
}

/** Orders notes by creation time, newest first, then by id, so that pages never overlap. */
export function newestFirst(
  left: { createdMs: number; id: string },
  right: { createdMs: number; id: string },
): number {
  return right.createdMs - left.createdMs || (left.id < right.id ? -1 : Number(left.id > right.id));
}

/** Returns the ids of a folder and all folders below it. */
export function withChildren(folders: readonly WireFolder[], id: string): Set<string> {
  const inside = new Set([id]);
  for (const folder of folders) {
    if (folder.parent_folder_id !== null && inside.has(folder.parent_folder_id)) inside.add(folder.id);
  }
  return inside;
}

/** Generates folders. Parents come before their children. */
function inventFolders({ kinds }: MeetingWords, random: Random): WireFolder[] {
  const folder = (name: string, parent: string | null): WireFolder => ({
    id: `fol_${random.fork(name).text(14)}`,
    object: 'folder',
    name,
    parent_folder_id: parent,
  });
  const top = [...new Set(kinds.map(kind => kind.folder)), 'Büro & Événements'].map(name =>
    folder(name, null),
  );
  const children = top.flatMap(parent => {
    const child = CHILD_FOLDERS[parent.name];
    return child === undefined ? [] : [folder(child, parent.id)];
  });
  return [...top, ...children];
}
