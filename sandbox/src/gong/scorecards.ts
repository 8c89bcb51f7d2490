import type { Call } from './calls.ts';
import type { GongCompany } from './company.ts';

const QUESTIONS = [
  'Did the rep confirm the budget?',
  'Was the next step agreed?',
  'Did the customer speak more than we did?',
];
const NAMES = ['Discovery basics', 'Demo quality', 'Company-wide hygiene'];

interface Question {
  readonly questionId: string;
  readonly questionRevisionId: string;
  readonly [field: string]: unknown;
}

/** A scorecard as returned by `GET /v2/settings/scorecards`. */
export interface WireScorecard {
  readonly scorecardId: string;
  readonly scorecardName: string;
  readonly workspaceId: string | null;
  readonly questions: readonly Question[];
  readonly [field: string]: unknown;
}

/** Generates three scorecards. The last is company-wide and disabled, and contains no questions. */
export function inventScorecards(company: GongCompany): WireScorecard[] {
  const [author] = company.users();
  const stamps = {
    updaterUserId: author?.id,
    created: '2025-11-02T12:00:00Z',
    updated: '2026-01-10T08:30:00Z',
  };
  return NAMES.map((scorecardName, index) => {
    const isLast = index === NAMES.length - 1;
    const random = company.random.fork('scorecard', index);
    const questions = QUESTIONS.map((questionText, number) => {
      const questionId = random.fork('question', number).digits(9);
      return {
        questionId,
        questionRevisionId: `${questionId}-2`,
        questionText,
        questionType: 'RANGE',
        isRequired: number === 0,
        isOverall: number === QUESTIONS.length - 1,
        ...stamps,
        answerGuide: number === 1 ? 'A date, or it was not agreed.' : null,
        minRange: '1',
        maxRange: '5',
        answerOptions: [],
      };
    });
    return {
      scorecardId: random.digits(9),
      scorecardName,
      workspaceId: isLast ? null : (company.workspaces[0]?.id ?? null),
      enabled: !isLast,
      ...stamps,
      reviewMethod: 'MANUAL',
      questions: isLast ? [] : questions,
    };
  });
}

/** An answered scorecard as returned by `POST /v2/stats/activity/scorecards`. */
export interface WireAnsweredScorecard {
  readonly answeredScorecardId: string;
  readonly scorecardId: string;
  readonly callId: string;
  readonly reviewedUserId: string;
  readonly reviewerUserId: string;
  readonly [field: string]: unknown;
}

/** Generates answered scorecards for about one in seven calls. */
export function inventAnsweredScorecards(
  company: GongCompany,
): { call: Call; answered: WireAnsweredScorecard }[] {
  const scorecards = inventScorecards(company).filter(card => card.questions.length > 0);
  return company.calls().flatMap(call => {
    const random = call.random.fork('scorecard');
    if (!random.chance(1 / 7)) return [];
    const card = random.pick(scorecards);
    const reviewedAt = new Date(call.filterMs + random.integer(2, 90) * 3_600_000)
      .toISOString()
      .replace('.000Z', 'Z');
    const answers = card.questions.map(({ questionId, questionRevisionId, isOverall }) => {
      const score = random.integer(1, 5);
      const isSkipped = random.chance(0.1);
      return {
        questionId,
        questionRevisionId,
        isOverall,
        answer: isSkipped ? '' : String(score),
        answerText: random.chance(0.2) ? 'Well prepared' : null,
        score: isSkipped ? 0 : score,
        notApplicable: isSkipped,
        selectedOptions: null,
      };
    });
    const answered = {
      answeredScorecardId: random.digits(12),
      scorecardId: card.scorecardId,
      scorecardName: card.scorecardName,
      callId: call.wire.id,
      callStartTime: call.wire.started,
      reviewedUserId: call.wire.primaryUserId,
      reviewerUserId: random.pick(company.users()).id,
      reviewMethod: 'MANUAL',
      editorUserId: null,
      answeredDateTime: reviewedAt,
      reviewTime: reviewedAt,
      visibilityType: 'PUBLIC',
      answers,
      overallScore: answers.at(-1)?.score ?? 0,
      visibility: 'public',
    };
    return [{ call, answered }];
  });
}
