/** Why there is no answer, in a sentence that says what to do. */
export class AnswerError extends Error {}

/** The person has to allow access on the service's page first. */
export class SignInRequiredError extends AnswerError {}
