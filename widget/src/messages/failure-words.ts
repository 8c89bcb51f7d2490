import type { Integrator } from '@connector-auth/api';
import type { Failure, FailureCode } from '../service/failure.ts';
import type { Messages } from './messages.ts';
import { timeUntil } from './relative-time.ts';
import { sentence } from './sentence.ts';

/** The description of a failure that users read: what happened and what to do next. */
export interface FailureWords {
  readonly title: string;
  readonly hint: string;
  /** Whether only the integrator can help. */
  readonly isForSupport?: boolean;
  /** Whether nothing is broken: a person decided so or took too long, or the user only has to wait. */
  readonly isMild?: boolean;
}

/** Who can be the cause of a failure, or can help. */
export interface Parties {
  /** The name of the source. */
  readonly source: string;
  readonly integrator: Integrator | undefined;
}

type Topic = 'unreachable' | 'session' | 'setup' | 'forbidden' | 'limit';

/**
 * Maps error codes to descriptions. A set-up error is described as `setup`, and all others as "Something went wrong".
 */
const topics: Partial<Record<FailureCode, Topic>> = {
  unreachable: 'unreachable',
  timeout: 'unreachable',
  origin_not_allowed: 'setup',
  redirect_url_not_allowed: 'setup',
  unknown_connector_type: 'setup',
  backend_misconfigured: 'setup',
  unexpected_answer: 'setup',
  vendor_misconfigured: 'setup',
  helper_url_missing: 'setup',
  token_kind_not_allowed: 'forbidden',
  organization_not_allowed: 'forbidden',
  customer_not_allowed: 'forbidden',
  source_not_allowed: 'forbidden',
  management_not_allowed: 'forbidden',
  too_many_connectors: 'limit',
};

/**
 * Returns whether the user's session at the integrator has expired. Frameworks reject a request without one with status
 * 401 or 403.
 */
export function isSessionOver({ code, status }: Failure): boolean {
  return status === 401 || (status === 403 && code === 'token_refused');
}

/** Describes a failure to the user. */
export function failureWords(
  failure: Failure,
  messages: Messages,
  { source, integrator }: Parties,
): FailureWords {
  const { code, message, status, issues, isSetUpError } = failure;
  switch (code) {
    case 'consent_denied': {
      const reason = refusalOf(failure);
      // An older service, and the URL after a redirect, do not tell the vendor's words from others.
      const words = reason || (failure.reason === undefined ? message : '');
      return {
        title: reason ? messages.refusedTitle(source) : messages.deniedTitle,
        hint: `${words && `${words}\n`}${messages.nothingSaved}`,
        isMild: true,
      };
    }
    case 'consent_failed':
      return { title: messages.notConnected, hint: `${message}\n${messages.nothingSaved}` };
    case 'consent_expired':
    case 'secret_id_invalid':
      return {
        title: messages.expiredTitle,
        hint: `${messages.nothingSaved}\n${messages.expiredHint}`,
        isMild: true,
      };
    case 'credentials_refused':
    case 'invalid_credentials':
    case 'oauth_app_required':
      // The vendor's own reason is more helpful than our own text.
      return { title: messages.notConnected, hint: issues.map(issue => issue.message).join(' ') || message };
    case 'different_account':
      return { title: messages.replaceTitle(source), hint: messages.sameAccountHint };
    case 'vendor_failed':
    case 'vendor_timeout':
      return { title: messages.vendorTitle(source), hint: messages.vendorHint };
    case 'rate_limited':
    case 'overloaded':
      return { title: messages.busyTitle, hint: retryHint(failure, messages), isMild: true };
    case 'vendor_rate_limited':
      return {
        title: messages.busyAt(source),
        hint: `${messages.limitedHint(source)} ${retryHint(failure, messages)}`,
        isMild: true,
      };
    case 'vendor_permission_missing':
      return { title: messages.forbiddenTitle, hint: messages.vendorForbids(source) };
    case 'reauthentication_required':
      return { title: messages.statusNeedsReauth, hint: messages.needsReauthHint(source) };
    case 'connector_disabled':
      return { title: messages.statusPaused, hint: messages.pausedHint };
    case 'connector_unavailable':
      return { title: messages.statusUnavailable, hint: messages.notAvailableHint };
    case 'connector_frozen':
      return { title: messages.statusPaused, hint: messages.frozenHint };
    case 'link_expired':
      return { title: messages.linkExpired, hint: messages.linkOverHint };
    case 'link_used':
      return { title: messages.linkUsed, hint: messages.linkOverHint };
    case 'link_revoked':
    case 'link_not_found':
      return { title: messages.linkCancelled, hint: messages.linkOverHint };
    case 'too_many_links':
      return { title: messages.limitTitle, hint: messages.linkLimitHint };
    default: {
      const topic = isSessionOver(failure)
        ? 'session'
        : isSetUpError
          ? 'setup'
          : (topics[code] ??
            // The token URL's server or a gateway before it does not respond.
            (code === 'token_unavailable' && status !== 500 ? 'unreachable' : 'broken'));
      const title = messages[`${topic}Title`];
      if (topic !== 'setup' && topic !== 'forbidden') return { title, hint: messages[`${topic}Hint`] };
      const name = integrator?.name;
      const hint = name ? messages[`${topic}HintBy`](name) : messages[`${topic}Hint`];
      return { title, hint, isForSupport: true };
    }
  }
}

/** Returns why the vendor denied access, as a sentence, or nothing if it was the user. */
export function refusalOf({ reason }: Failure): string {
  return sentence(reason ?? '');
}

/**
 * Explains why a type of data is not synced and who can fix it. Returns null if only the service's log says why.
 * @param code the code of the last error. Earlier versions of the service send none.
 */
export function syncErrorWords(
  code: string | null | undefined,
  { source, integrator }: Parties,
  messages: Messages,
): string | null {
  if (isSetUpCode(code)) return messages.setupFails(integrator?.name ?? messages.actorIntegrator, source);
  switch (code) {
    case 'vendor_failed':
    case 'vendor_timeout':
    case 'vendor_response_too_large':
      return messages.vendorFails(source);
    case 'vendor_permission_missing':
      return messages.vendorForbids(source);
    default:
      return null;
  }
}

/** Returns whether a sync fails until the integrator changes its connection to the vendor. */
export function isSetUpCode(code: string | null | undefined): boolean {
  return code === 'vendor_misconfigured' || code === 'oauth_app_required';
}

/** Says when to try again. Short delays are rounded up, so that the sentence stays true. */
function retryHint({ retryAt }: Failure, messages: Messages): string {
  return retryAt && Date.parse(retryAt) - Date.now() > 60_000
    ? messages.retryLater(timeUntil(retryAt, messages))
    : messages.busyHint;
}
