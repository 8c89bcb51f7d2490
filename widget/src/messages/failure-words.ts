import type { Failure, FailureCode } from '../service/failure.ts';
import type { Messages } from './messages.ts';

/** The description of a failure that users read: what happened and what to do next. */
export interface FailureWords {
  readonly title: string;
  readonly hint: string;
}

type Topic = 'unreachable' | 'busy' | 'session' | 'setup' | 'forbidden' | 'limit';

/**
 * Maps error codes to descriptions. A response with status 401 is described as `session`, a set-up error as `setup`,
 * and all others as "Something went wrong".
 */
const topics: Partial<Record<FailureCode, Topic>> = {
  unreachable: 'unreachable',
  timeout: 'unreachable',
  rate_limited: 'busy',
  vendor_rate_limited: 'busy',
  overloaded: 'busy',
  origin_not_allowed: 'setup',
  redirect_url_not_allowed: 'setup',
  unknown_connector_type: 'setup',
  backend_misconfigured: 'setup',
  unexpected_answer: 'setup',
  token_kind_not_allowed: 'forbidden',
  organization_not_allowed: 'forbidden',
  customer_not_allowed: 'forbidden',
  source_not_allowed: 'forbidden',
  management_not_allowed: 'forbidden',
  too_many_connectors: 'limit',
};

/** Describes a failure to the user. @param source the name of the source that failed. */
export function failureWords(
  { code, message, status, issues, isSetUpError }: Failure,
  messages: Messages,
  source: string,
): FailureWords {
  switch (code) {
    case 'consent_denied':
      return { title: messages.deniedTitle, hint: message };
    case 'consent_failed':
      return { title: messages.notConnected, hint: `${message}\n${messages.nothingSaved}` };
    case 'consent_expired':
    case 'secret_id_invalid':
      return { title: messages.expiredTitle, hint: `${messages.nothingSaved}\n${messages.expiredHint}` };
    case 'credentials_refused':
    case 'invalid_credentials':
    case 'oauth_app_required':
      // The vendor's own reason is more helpful than our own text.
      return { title: messages.notConnected, hint: issues.map(issue => issue.message).join(' ') || message };
    case 'vendor_failed':
    case 'vendor_timeout':
      return { title: messages.vendorTitle(source), hint: messages.vendorHint };
    case 'connector_disabled':
      return { title: messages.statusPaused, hint: messages.pausedHint };
    case 'connector_frozen':
      return { title: messages.statusPaused, hint: messages.frozenHint };
    default: {
      const topic =
        status === 401
          ? 'session'
          : isSetUpError
            ? 'setup'
            : (topics[code] ??
              // The token URL's server or a gateway before it does not respond.
              (code === 'token_unavailable' && status !== 500 ? 'unreachable' : 'broken'));
      return { title: messages[`${topic}Title`], hint: messages[`${topic}Hint`] };
    }
  }
}
