/** Why there is no answer, in a sentence that says what to do. */
export class AnswerError extends Error {}
