import { failures } from '../rest/failures.ts';

/**
 * Classifies a response from Granola. An error body is a JSON object without guaranteed members: the message
 * can be in `message`, `error` or `code`, or can be missing.
 */
export const readFailure = failures({ message: ['message', 'error', 'code'], code: ['code'] });
