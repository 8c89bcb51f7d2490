import { z } from 'zod';
import { fillFields } from '../kind/record.ts';

const text = z.string().nullable();

/**
 * A recorded call. `started` is when it actually started; for web conferences, time filters apply to the
 * scheduled time instead.
 */
export const call = z.object({
  id: z.string(),
  url: text,
  title: text,
  scheduled: text.describe('ISO 8601'),
  started: text.describe('ISO 8601'),
  duration: z.int().nullable().describe('Seconds'),
  primaryUserId: text,
  direction: text,
  system: text,
  scope: text,
  media: text,
  language: text,
  workspaceId: text,
  sdrDisposition: text,
  clientUniqueId: text,
  customData: text,
  purpose: text,
  meetingUrl: text,
  isPrivate: z.boolean().nullable(),
  calendarEventId: text,
});
export type Call = z.infer<typeof call>;

export const readCall: (wire: unknown) => Call = fillFields('Gong', call);
