import { inventPeople, type Person } from '../invented/people.ts';
import { startOfWorkingDay } from '../invented/working-day.ts';
import type { Random } from '../simulator/random.ts';
import type { GranolaAccount } from './accounts.ts';
import type { MeetingWords } from './meeting-words.ts';
import { MEETINGS, type MeetingKind } from './meetings.ts';
import { writeOtherLanguage, writeSummary, writeTranscript } from './note-text.ts';
import { wireTime, type WireFolder, type WirePerson } from './wire.ts';
import { fillSlots } from './words.ts';

/** A note. Its details and transcript are generated on demand. */
export type Note = ReturnType<typeof inventNote>;

/** The account, people and folders that a note is generated for. */
export interface NoteContext {
  readonly account: GranolaAccount;
  readonly members: readonly Person[];
  readonly folders: readonly WireFolder[];
  readonly words: MeetingWords;
  readonly dataNow: number;
}

const DAY_MS = 86_400_000;
const HISTORY_DAYS = 730;
/** The number of unfinished notes in a workspace. They are its newest notes. */
export const UNFINISHED_COUNT = 4;

/** Generates the note with this index. Index 0 is the newest note; the last index is about two years old. */
export function inventNote(context: NoteContext, random: Random, place: { index: number; count: number }) {
  const createdMs = workingTime(context.dataNow, place, random.fork('time'));
  const { words } = context;
  const kind = random.pick(words.kinds);
  const owner = random.pick(context.members);
  const client = random.pick(words.clients);
  const colleagues = random.sample(
    context.members.filter(({ email }) => email !== owner.email),
    random.integer(1, 5),
  );
  const guests = kind.isExternal
    ? inventPeople(random.fork('guests'), client.domain, random.integer(1, 3))
    : [];
  const slots = {
    client: client.name,
    contact: guests[0]?.firstName ?? 'Alex',
    colleague: colleagues[0]?.firstName ?? owner.firstName,
    project: random.pick(words.projects),
    team: random.pick(words.teams),
    day: random.pick(MEETINGS.slots.day),
    month: random.pick(MEETINGS.slots.month),
    product: random.fork('product').pick(words.products),
    role: random.fork('role').pick(words.roles),
  };
  const isForeign = random.chance(0.07) && words.otherLanguages.length > 0;
  const foreign = isForeign ? random.pick(words.otherLanguages) : undefined;
  const title = foreign?.title ?? fillSlots(random.pick(kind.titles), slots, random);
  const isSparse = random.chance(0.06);
  const minutes = random.pick(kind.minutes);
  const people = [owner, ...colleagues, ...guests];
  const folders = isSparse ? [] : chooseFolders(context.folders, kind, random);
  const event =
    isSparse || random.chance(0.1) ? null : inventEvent(title, people, { createdMs, minutes, random });

  return {
    id: `not_${random.fork('id').text(14)}`,
    title: isSparse || random.chance(0.03) ? null : title,
    owner: { name: isSparse && random.chance(0.5) ? null : owner.name, email: owner.email },
    createdMs,
    updatedMs: laterEdit(createdMs + minutes * 60_000, context.dataNow, random.fork('edit')),
    /** Whether the note has a summary and a transcript. Lists exclude unfinished notes. */
    isFinished: place.index >= UNFINISHED_COUNT || place.count === 1,
    folders,
    /** Returns what `GET /v1/notes/{id}` adds to the keys in lists, in Granola's order, except `transcript`. */
    details: () => {
      const own = random.fork('summary');
      const { text, markdown } = foreign ? writeOtherLanguage(foreign) : writeSummary(kind, slots, own);
      const privateNotes = own.chance(0.2) ? `Ask ${slots.colleague} about ${slots.project}` : null;
      return {
        web_url: `https://notes.granola.ai/d/${inventUuid(random.fork('url'))}`,
        calendar_event: event,
        attendees: isSparse ? [] : people.map(person => toWirePerson(person, own)),
        folder_membership: folders,
        summary_text: isSparse ? 'Short stand-up.' : text,
        summary_markdown: isSparse ? null : markdown,
        private_notes_text: privateNotes,
        private_notes_markdown: privateNotes && `- ${privateNotes}\n`,
      };
    },
    transcript: () => {
      const own = random.fork('transcript');
      const count = own.chance(0.08) ? own.integer(450, 1200) : Math.round(minutes * (2 + 3 * own.unit()));
      const others = [...colleagues, ...guests].map(person => (own.chance(0.8) ? person.firstName : null));
      const voices = { others, isPhone: own.chance(0.08) };
      return writeTranscript(kind, slots, voices, {
        startMs: createdMs,
        count: isSparse ? 4 : count,
        random: own,
      });
    },
  };
}

/** Returns a time between 7:00 and 18:00 UTC on a weekday before the generated data ends. */
function workingTime(
  dataNow: number,
  { index, count }: { index: number; count: number },
  random: Random,
): number {
  const daysAgo = ((index + random.unit()) / count) * HISTORY_DAYS;
  const midnight = startOfWorkingDay(dataNow - daysAgo * DAY_MS);
  const secondOfDay = random.integer(7 * 4, 18 * 4) * 900 + random.integer(0, 400);
  const created = midnight + secondOfDay * 1000;
  return created > dataNow - 3_600_000 ? created - 7 * DAY_MS : created;
}

/**
 * Returns the time of the note's last edit: shortly after the meeting for most notes, days later for some.
 */
function laterEdit(endMs: number, dataNow: number, random: Random): number {
  const afterMs = random.chance(0.2)
    ? random.integer(1, 20 * 24) * 3_600_000
    : random.integer(1, 50) * 60_000;
  return Math.min(endMs + afterMs + random.integer(0, 59) * 1000, dataNow);
}

function chooseFolders(folders: readonly WireFolder[], kind: MeetingKind, random: Random): WireFolder[] {
  const own = folders.filter(folder => folder.name === kind.folder);
  const children = folders.filter(folder => own.some(({ id }) => id === folder.parent_folder_id));
  const chosen = children.length > 0 && random.chance(0.4) ? children : own;
  if (random.chance(0.15)) return [];
  return random.chance(0.1)
    ? [
        ...chosen,
        ...random.sample(
          folders.filter(folder => !chosen.includes(folder)),
          1,
        ),
      ]
    : chosen;
}

function inventEvent(
  title: string,
  people: readonly Person[],
  { createdMs, minutes, random }: { createdMs: number; minutes: number; random: Random },
) {
  const startMs = Math.floor(createdMs / 900_000) * 900_000;
  const stamp = wireTime(startMs).replaceAll(/[-:]/g, '');
  return {
    event_title: random.chance(0.03) ? null : title,
    invitees: people.map(({ email }) => ({ email })),
    organiser: random.chance(0.05) ? null : (people[0]?.email ?? null),
    calendar_event_id: `${random.text(16, 'abcdefghijklmnopqrstuv0123456789')}_${stamp}`,
    scheduled_start_time: wireTime(startMs),
    scheduled_end_time: wireTime(startMs + minutes * 60_000),
  };
}

function toWirePerson({ name, email }: Person, random: Random): WirePerson {
  return { name: random.chance(0.08) ? null : name, email };
}

function inventUuid(random: Random): string {
  const hex = (length: number): string => random.text(length, '0123456789abcdef');
  return [hex(8), hex(4), `4${hex(3)}`, `8${hex(3)}`, hex(12)].join('-');
}
