import type { Random } from '../simulator/random.ts';
import { MEETINGS, type MeetingKind, type OtherLanguageMeeting } from './meetings.ts';
import { wireTime, type WireSegment } from './wire.ts';
import { fillSlots, type MeetingSlots } from './words.ts';

/** A summary as plain text and Markdown. */
export interface SummaryText {
  readonly text: string;
  readonly markdown: string;
}

/** Generates a summary for a meeting of this kind. */
export function writeSummary(kind: MeetingKind, slots: MeetingSlots, random: Random): SummaryText {
  const fill = (templates: readonly string[], max: number): string[] =>
    random
      .sample(templates, random.integer(Math.min(2, templates.length), max))
      .map(template => fillSlots(template, slots, random));
  return layOut(fillSlots(random.pick(kind.overview), slots, random), [
    ['Discussed', fill(kind.points, 6)],
    ['Decisions', fill(kind.decisions, 3)],
    ['Next steps', fill(kind.actions, 3)],
  ]);
}

/** Renders the summary for a meeting in another language. */
export function writeOtherLanguage({ overview, points }: OtherLanguageMeeting): SummaryText {
  return layOut(overview, [['—', points]]);
}

function layOut(overview: string, sections: readonly (readonly [string, readonly string[]])[]): SummaryText {
  const filled = sections.filter(([, items]) => items.length > 0);
  return {
    text: [overview, ...filled.map(([title, items]) => `${title}: ${items.join('; ')}.`)].join('\n\n'),
    markdown: [
      `${overview}\n`,
      ...filled.map(([title, items]) => `### ${title}\n\n${items.map(item => `- ${item}\n`).join('')}`),
    ].join('\n'),
  };
}

/** The speakers in a transcript. */
export interface Voices {
  /** The names of the other participants; null if Granola could not identify the speaker. */
  readonly others: readonly (string | null)[];
  /** Whether the meeting was a phone call. Its transcript uses speaker labels instead of names. */
  readonly isPhone: boolean;
}

/** Generates `count` transcript segments from the start of the meeting. */
export function writeTranscript(
  kind: MeetingKind,
  slots: MeetingSlots,
  voices: Voices,
  { startMs, count, random }: { startMs: number; count: number; random: Random },
): WireSegment[] {
  let next = 0;
  let atMs = startMs + random.integer(5, 90) * 1000;
  return Array.from({ length: count }, () => {
    const isMine = random.chance(0.45);
    // Sentences on the topic keep their order, so that the transcript reads like a conversation.
    const subject = random.chance(0.55) ? kind.lines[next++ % kind.lines.length] : undefined;
    const template = subject ?? random.pick(MEETINGS.smallTalk);
    const text = fillSlots(template, slots, random);
    const endMs = atMs + Math.round(text.length / 16) * 1000;
    const segment = {
      speaker: speakerOf(isMine, voices, random),
      text,
      start_time: wireTime(atMs),
      end_time: wireTime(endMs),
    };
    atMs = endMs + random.integer(0, 4) * 1000;
    return segment;
  });
}

function speakerOf(isMine: boolean, { others, isPhone }: Voices, random: Random): WireSegment['speaker'] {
  if (isPhone) return { source: 'speaker', diarization_label: `Speaker ${isMine ? 'A' : 'B'}` };
  if (isMine) return { source: 'microphone', attribution: 'me' };
  const name = others.length > 0 ? random.pick(others) : null;
  return {
    source: 'speaker',
    ...(random.chance(0.9) && { attribution: 'them' }),
    ...(name !== null && { name }),
  };
}
