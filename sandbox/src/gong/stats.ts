import type { Random } from '../simulator/random.ts';
import type { GongCompany } from './company.ts';
import type { WireUser } from './users.ts';

/**
 * The counted activities. Activities that cannot be derived from calls are generated per user and date range.
 */
const ACTIVITIES = [
  'callsAsHost',
  'callsGaveFeedback',
  'callsRequestedFeedback',
  'callsReceivedFeedback',
  'ownCallsListenedTo',
  'othersCallsListenedTo',
  'callsSharedInternally',
  'callsSharedExternally',
  'callsScorecardsFilled',
  'callsScorecardsReceived',
  'callsAttended',
  'callsCommentsGiven',
  'callsCommentsReceived',
  'callsMarkedAsFeedbackGiven',
  'callsMarkedAsFeedbackReceived',
] as const;

/** A range of days in the company's time zone. The end is exclusive. */
export interface Days {
  readonly fromDate: string;
  readonly toDate: string;
}

const OFFSET = '-08:00';
const DAY_MS = 86_400_000;

/** Returns the response fields that describe the date range. */
export function windowFields({ fromDate, toDate }: Days): Record<string, string> {
  return { fromDateTime: midnight(fromDate), toDateTime: midnight(toDate), timeZone: 'America/Los_Angeles' };
}

/** Returns a user's activity counts over the whole range. */
export function aggregateActivity(company: GongCompany, user: WireUser, days: Days): Record<string, unknown> {
  const hosted = hostedCalls(company, user, days).length;
  const random = windowRandom(company, user, days);
  const counts = ACTIVITIES.map(name => [name, random.chance(0.5) ? 0 : random.integer(0, 9)]);
  const attended = hosted + random.integer(0, 12);
  const stats = { ...Object.fromEntries(counts), callsAsHost: hosted, callsAttended: attended };
  return { userId: user.id, userEmailAddress: user.emailAddress, userAggregateActivityStats: stats };
}

/** Returns a user's call ids by day. Omits days without calls. */
export function dailyActivity(company: GongCompany, user: WireUser, days: Days): Record<string, unknown> {
  const calls = hostedCalls(company, user, days);
  const daily = [...Map.groupBy(calls, call => localDate(call.filterMs))].map(([date, ofDay]) => {
    const ids = ofDay.map(call => call.wire.id);
    const empty = Object.fromEntries(ACTIVITIES.map(name => [name, []]));
    const next = localDate(Date.parse(midnight(date)) + DAY_MS);
    return {
      ...empty,
      callsAsHost: ids,
      callsAttended: ids,
      fromDate: midnight(date),
      toDate: midnight(next),
    };
  });
  return { userId: user.id, userEmailAddress: user.emailAddress, userDailyActivityStats: daily };
}

/** Returns a user's interaction statistics, which are empty for a user without calls. */
export function interactionStats(company: GongCompany, user: WireUser, days: Days): Record<string, unknown> {
  const random = windowRandom(company, user, days);
  const hasCalls = hostedCalls(company, user, days).length > 0;
  const personInteractionStats = [
    'Longest Monologue',
    'Longest Customer Story',
    'Interactivity',
    'Patience',
    'Question Rate',
  ]
    .filter(() => hasCalls)
    .map(name => ({ name, value: random.integer(1, 2400) / 10 }));
  return { userId: user.id, userEmailAddress: user.emailAddress, personInteractionStats };
}

/** Returns a team member's coaching metrics. */
export function coachingOf(company: GongCompany, user: WireUser, from: string): Record<string, unknown> {
  const random = company.random.fork('coaching', user.id, from);
  return {
    userId: user.id,
    userEmailAddress: user.emailAddress,
    userName: `${user.firstName} ${user.lastName}`,
    isManager: company.users().some(({ managerId }) => managerId === user.id),
    coachingMetrics: {
      callsListened: random.integer(0, 9),
      callsAttended: random.integer(0, 6),
      callsWithFeedback: random.integer(0, 4),
      callsWithComments: random.integer(0, 4),
      scorecardsFilled: random.integer(0, 3),
    },
  };
}

function hostedCalls(company: GongCompany, user: WireUser, days: Days): ReturnType<GongCompany['calls']> {
  const [fromMs, toMs] = [Date.parse(midnight(days.fromDate)), Date.parse(midnight(days.toDate))];
  return company
    .calls()
    .filter(call => call.wire.primaryUserId === user.id && call.filterMs >= fromMs && call.filterMs < toMs);
}

function windowRandom(company: GongCompany, user: WireUser, { fromDate, toDate }: Days): Random {
  return company.random.fork('stats', user.id, fromDate, toDate);
}

function midnight(date: string): string {
  return `${date}T00:00:00${OFFSET}`;
}

function localDate(ms: number): string {
  return new Date(ms - 8 * 3_600_000).toISOString().slice(0, 10);
}
