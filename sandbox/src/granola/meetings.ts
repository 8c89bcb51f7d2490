import meetings from './meetings.json' with { type: 'json' };

/**
 * Kinds of meetings of a software company and of a small business, meetings in other languages and scripts, values
 * for the slots that stay constant within a note, and sentences that fit any meeting.
 */
export const MEETINGS = meetings;

/** Templates for one kind of meeting, with slots such as `{client}` (see `fillSlots`). */
export type MeetingKind = (typeof meetings)['software' | 'business'][number];

/** A meeting in another language. */
export type OtherLanguageMeeting = (typeof meetings.otherLanguages)[number];
