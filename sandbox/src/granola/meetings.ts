import meetings from './meetings.json' with { type: 'json' };

/** Templates for one kind of meeting, with slots such as `{client}` (see `fillSlots`). */
export interface MeetingKind {
  readonly titles: readonly string[];
  readonly folder: string;
  readonly minutes: readonly number[];
  readonly isExternal: boolean;
  readonly overview: readonly string[];
  readonly points: readonly string[];
  readonly decisions: readonly string[];
  readonly actions: readonly string[];
  /** Sentences of the transcript. */
  readonly lines: readonly string[];
}

/** A meeting in another language. */
export interface OtherLanguageMeeting {
  readonly title: string;
  readonly overview: string;
  readonly points: readonly string[];
}

/**
 * Kinds of meetings of a software company and of a small business, meetings in other languages and scripts, values
 * for the slots that stay constant within a note, and sentences that fit any meeting.
 */
export const MEETINGS: {
  readonly software: readonly MeetingKind[];
  readonly business: readonly MeetingKind[];
  readonly otherLanguages: readonly OtherLanguageMeeting[];
  readonly slots: Readonly<Record<'project' | 'team' | 'day' | 'month', readonly string[]>>;
  readonly smallTalk: readonly string[];
} = meetings;
