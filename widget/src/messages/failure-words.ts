import type { Failure, FailureCode } from '../service/failure.ts';
import type { Messages } from './messages.ts';

/** A failure in words for a person: what happened, and what they can do. */
export interface FailureWords {
  readonly title: string;
  readonly hint: string;
}

type Topic = 'unreachable' | 'busy' | 'session' | 'setup' | 'forbidden' | 'vendor';

/** What a code is about for a person. Codes that tell a person nothing are not here. */
const topics: Partial<Record<FailureCode, Topic>> = {
  unreachable: 'unreachable',
  timeout: 'unreachable',
  rate_limited: 'busy',
  vendor_rate_limited: 'busy',
  overloaded: 'busy',
  not_signed_in: 'session',
  token_unavailable: 'session',
  token_refused: 'session',
  token_missing: 'session',
  token_invalid: 'session',
  token_expired: 'session',
  token_answer_invalid: 'setup',
  origin_not_allowed: 'setup',
  token_kind_not_allowed: 'forbidden',
  organization_not_allowed: 'forbidden',
  customer_not_allowed: 'forbidden',
  source_not_allowed: 'forbidden',
  vendor_failed: 'vendor',
  vendor_timeout: 'vendor',
};

/** The words for a failure. */
export function failureWords({ code, message, issues }: Failure, messages: Messages): FailureWords {
  if (code === 'consent_denied') return { title: messages.deniedTitle, hint: message };
  if (code === 'consent_failed') return { title: messages.notConnected, hint: message };
  if (code === 'consent_expired' || code === 'secret_id_invalid') {
    return { title: messages.expiredTitle, hint: messages.expiredHint };
  }
  if (code === 'credentials_refused' || code === 'invalid_credentials') {
    // The vendor's own reason helps more than any sentence of ours.
    return { title: messages.notConnected, hint: issues.map(issue => issue.message).join(' ') || message };
  }
  const topic = topics[code] ?? 'broken';
  return { title: messages[`${topic}Title`], hint: messages[`${topic}Hint`] };
}
