import type { Request } from 'express';
import type { Grant } from '../simulator/tokens.ts';
import type { VendorContext } from '../simulator/vendor.ts';
import { findCustomer, isReachedFrom, USERS, type Customer, type GoogleUser } from './customers.ts';
import { fail, GoogleError } from './failure.ts';

/** The scope that the API requires. */
export const ADWORDS_SCOPE = 'https://www.googleapis.com/auth/adwords';

/** The developer tokens: one is approved for all accounts, the other only for test accounts. */
export const DEVELOPER_TOKENS = {
  approved: 'sandboxDeveloperToken0',
  testOnly: 'sandboxTestOnlyToken00',
} as const;

/** An authenticated caller: a user, an app and a developer token. */
export interface Caller {
  readonly user: GoogleUser;
  readonly grant: Grant;
  readonly developerToken: string;
}

/**
 * Authenticates a call. Checks the access token first, then the developer token, then whether the user has
 * signed up for Google Ads.
 */
export function readCaller({ tokens }: VendorContext, request: Request): Caller {
  const grant = readGrant(tokens.read.bind(tokens), request.get('authorization'));
  const developerToken = request.get('developer-token');
  if (!developerToken) {
    throw fail(
      'requestError',
      'DEVELOPER_TOKEN_PARAMETER_MISSING',
      'Developer token is missing from the request header.',
    );
  }
  if (!Object.values<string>(DEVELOPER_TOKENS).includes(developerToken)) {
    throw fail('authenticationError', 'DEVELOPER_TOKEN_INVALID', 'The developer token is not valid.');
  }
  const user = USERS.find(({ email }) => email === grant.account);
  if (!user?.isAdsUser) {
    throw fail('authenticationError', 'NOT_ADS_USER', 'User in the cookie is not a valid Ads user.');
  }
  return { user, grant, developerToken };
}

/**
 * Returns the account if the caller may access it, directly or through the manager in `login-customer-id`.
 */
export function openCustomer(caller: Caller, id: string, loginId: string | undefined): Customer {
  if (!/^\d{10}$/.test(id)) throw fail('requestError', 'INVALID_CUSTOMER_ID', `Invalid customer ID '${id}'.`);
  const customer = findCustomer(id);
  const isAllowed =
    loginId === undefined
      ? caller.user.customerIds.includes(id)
      : isAllowedThrough(openLogin(caller.user, loginId), customer);
  if (!customer || !isAllowed) throw permissionDenied();
  if (customer.status !== 'ENABLED') {
    throw fail(
      'authorizationError',
      'CUSTOMER_NOT_ENABLED',
      'The customer account is not yet enabled or has been deactivated.',
    );
  }
  if (caller.developerToken === DEVELOPER_TOKENS.testOnly && !customer.isTest) {
    throw fail(
      'authorizationError',
      'DEVELOPER_TOKEN_NOT_APPROVED',
      'The developer token is only approved for use with test accounts.',
    );
  }
  return customer;
}

type ReadToken = VendorContext['tokens']['read'];

function readGrant(read: ReadToken, header: string | undefined): Grant {
  if (header === undefined) {
    throw unauthenticated(
      'CREDENTIALS_MISSING',
      'Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
    );
  }
  const reading = read('access', header.replace(/^Bearer +/i, ''));
  if (reading?.state !== 'live') {
    throw unauthenticated(
      reading ? 'ACCESS_TOKEN_EXPIRED' : 'ACCESS_TOKEN_TYPE_UNSUPPORTED',
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
    );
  }
  if (reading.grant.scopes.includes(ADWORDS_SCOPE)) return reading.grant;
  throw new GoogleError(403, 'PERMISSION_DENIED', 'Request had insufficient authentication scopes.', {
    details: [errorInfo('ACCESS_TOKEN_SCOPE_INSUFFICIENT')],
  });
}

/** Creates Google's error for an invalid token. */
export function unauthenticated(reason: string, message: string): GoogleError {
  return new GoogleError(401, 'UNAUTHENTICATED', message, {
    details: [errorInfo(reason)],
    headers: { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
  });
}

function errorInfo(reason: string): unknown {
  return {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'googleapis.com',
    metadata: { service: 'googleads.googleapis.com' },
  };
}

/** Returns the login account, which must be an account the user was invited to or a manager below it. */
function openLogin(user: GoogleUser, loginId: string): Customer {
  const login = findCustomer(loginId);
  if (!/^\d{10}$/.test(loginId)) {
    throw fail(
      'headerError',
      'INVALID_LOGIN_CUSTOMER_ID',
      'The login customer ID must be 10 digits without dashes.',
    );
  }
  const direct = user.customerIds.map(findCustomer).filter(customer => customer !== undefined);
  const isOpen =
    login !== undefined &&
    (user.customerIds.includes(loginId) ||
      (login.isManager && direct.some(one => isReachedFrom(one, login))));
  if (!isOpen) throw permissionDenied();
  return login;
}

function isAllowedThrough(login: Customer, customer: Customer | undefined): boolean {
  if (!customer) return false;
  if (isReachedFrom(login, customer)) return true;
  throw fail(
    'authorizationError',
    'INVALID_LOGIN_CUSTOMER_ID_SERVING_CUSTOMER_ID_COMBINATION',
    'The login customer is not a manager of the customer being accessed.',
  );
}

function permissionDenied(): Error {
  return fail(
    'authorizationError',
    'USER_PERMISSION_DENIED',
    "User doesn't have permission to access customer. Note: set the login-customer-id header when going through a manager.",
  );
}
