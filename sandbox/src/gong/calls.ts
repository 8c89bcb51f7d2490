import { startOfWorkingDay } from '../invented/working-day.ts';
import type { Random } from '../simulator/random.ts';
import type { CallWords } from './call-words.ts';
import { gongId, type WireUser } from './users.ts';
import type { WireWorkspace } from './workspaces.ts';

/** A recorded call. Its content is generated from `random` on demand. */
export type Call = ReturnType<typeof inventCall>;

const SYSTEMS = ['Zoom', 'Zoom', 'Google Meet', 'Microsoft Teams', 'Outreach', 'Aircall'];
const DISPOSITIONS = ['Got the meeting', 'No answer', 'Left voicemail', 'Not interested', 'Call back later'];
/** UTC offsets in hours. Gong's date-times can have an offset or `Z`, and can include milliseconds. */
const OFFSET_HOURS = [-8, -5, 0, 1, 5.5];
const DAY_MS = 86_400_000;
const HISTORY_DAYS = 365;

/** The company, users and workspaces that a call is generated for. */
export interface CallContext {
  readonly company: string;
  readonly words: CallWords;
  readonly users: readonly WireUser[];
  readonly workspaces: readonly WireWorkspace[];
  readonly dataNow: number;
}

/** Generates a call that took place `daysAgo` days before the generated data ends. */
export function inventCall(context: CallContext, random: Random, daysAgo: number) {
  const startedMs = workingTime(context.dataNow, daysAgo, random.fork('time'));
  const scope = random.chance(0.78) ? 'External' : random.chance(0.95) ? 'Internal' : 'Unknown';
  const isConference = scope !== 'External' || random.chance(0.7);
  const direction = isConference ? 'Conference' : random.chance(0.75) ? 'Outbound' : 'Inbound';
  const scheduledMs = isConference ? startedMs - random.integer(0, 8) * 60_000 : startedMs;
  const client = random.pick(context.words.clients);
  const titles = context.words.titles[scope === 'External' ? 'External' : 'Internal'];
  const write = timeWriter(random);
  const id = gongId(random.fork('id'), '7');
  return {
    /**
     * The time that date filters compare: the scheduled start for web conferences, the actual start for other
     * calls.
     */
    filterMs: isConference ? scheduledMs : startedMs,
    client,
    random: random.fork('inside'),
    /** The call as returned by `GET /v2/calls`, and in `metaData` by the extensive list. */
    wire: {
      id,
      url: `https://app.gong.io/call?id=${id}`,
      title: random
        .pick(titles)
        .replaceAll('{us}', context.company)
        .replaceAll('{client}', client.name)
        .replaceAll('{product}', random.fork('product').pick(context.words.products)),
      scheduled: write(scheduledMs),
      started: write(startedMs),
      duration: isConference ? random.integer(600, 4200) : random.integer(20, 1500),
      primaryUserId: random.pick(context.users).id,
      direction,
      system: isConference ? random.pick(SYSTEMS.slice(0, 4)) : random.pick(SYSTEMS.slice(4)),
      scope,
      media: isConference && random.chance(0.85) ? 'Video' : 'Audio',
      language: random.pick(['eng', 'eng', 'eng', 'eng', 'deu', 'fra', 'jpn', 'und']),
      workspaceId: (random.chance(0.8) ? context.workspaces[0] : random.pick(context.workspaces))?.id ?? '',
      sdrDisposition: direction === 'Outbound' ? random.pick(DISPOSITIONS) : null,
      clientUniqueId: isConference ? null : `dialer-${random.digits(9)}`,
      customData: random.chance(0.05) ? '{"campaign":"spring"}' : null,
      purpose: random.chance(0.2) ? random.pick(['Demo Call', 'Discovery', 'Renewal']) : null,
      meetingUrl: isConference ? `https://meet.example/j/${random.digits(8)}` : '',
      isPrivate: random.chance(0.06),
      calendarEventId: isConference && random.chance(0.8) ? `ev-${random.digits(6)}` : null,
    },
  };
}

/** Returns a time between 7:00 and 18:00 UTC on a weekday before the generated data ends. */
function workingTime(dataNow: number, daysAgo: number, random: Random): number {
  const midnight = startOfWorkingDay(dataNow - daysAgo * DAY_MS);
  const started = midnight + random.integer(7 * 3600, 18 * 3600) * 1000;
  return started > dataNow - 5_400_000 ? started - 7 * DAY_MS : started;
}

/** Returns the age, in days, of the call with this index. Spreads a company's calls over a year. */
export function daysAgoOf(index: number, count: number, random: Random): number {
  return ((index + random.unit()) / count) * HISTORY_DAYS;
}

function timeWriter(random: Random): (ms: number) => string {
  const offsetHours = random.pick(OFFSET_HOURS);
  const hasMilliseconds = random.chance(0.3);
  return ms => {
    const local = new Date(ms + offsetHours * 3_600_000).toISOString();
    const clockTime = hasMilliseconds ? local.slice(0, -1) : local.slice(0, 19);
    return clockTime + (offsetHours === 0 ? 'Z' : offsetText(offsetHours));
  };
}

function offsetText(hours: number): string {
  const minutes = Math.abs(hours) * 60;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${hours < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
