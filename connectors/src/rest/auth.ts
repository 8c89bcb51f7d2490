import { z } from 'zod';
import { vendorError } from '../kind/failure.ts';
import type { Grant } from '../kind/grants.ts';
import type { AuthMethod } from '../kind/kind.ts';
import { asObject, asString } from '../kind/record.ts';
import type { VendorRequest } from '../kind/vendor.ts';
import type { Api } from './api.ts';
import { accessOf, accessState, basicAuthorization, isAccessDue, readGrantError } from './tokens.ts';

/** What end-customers read about credentials, and where they create and revoke them. */
export interface AuthTexts {
  /** Default: the name of the function, such as `api_key`. */
  readonly id?: string;
  readonly title?: string;
  /** Where users find the credentials. */
  readonly description: string;
  readonly instead?: string;
  readonly guide?: NonNullable<AuthMethod['guide']>;
  /** The vendor's page about the credentials. */
  readonly helpUrl: string;
  /** The vendor's page where a person can revoke the credentials. Default: `helpUrl`. */
  readonly revokeUrl?: string;
}

/** The declaration of a field in which users paste a value. */
export interface PastedField {
  readonly title: string;
  /** Such as `Starts with ak_`. */
  readonly hint?: string;
  readonly example?: string;
}

/** Messages about a pasted value that is not valid. */
export interface PastedMessages {
  readonly missing: string;
  readonly tooLong: string;
  readonly characters: string;
}

/** Creates the schema of a value that is sent in a header, so that it contains neither spaces nor control characters. */
export function pasted(
  messages: PastedMessages,
  { max = 5_000, characters = /^[\x21-\x7e]+$/ }: { max?: number; characters?: RegExp } = {},
): z.ZodString {
  return z
    .string(messages.missing)
    .trim()
    .min(1, messages.missing)
    .max(max, messages.tooLong)
    .regex(characters, messages.characters);
}

/** Returns the English messages about a value, such as an `access token`. */
export function pastedMessages(name: string): PastedMessages {
  return {
    missing: `Paste the ${name}`,
    tooLong: `The ${name} is too long`,
    characters: `The ${name} can't contain spaces or special characters`,
  };
}

function pastedField(
  { title, hint, example }: PastedField,
  isSecret: boolean,
  characters?: RegExp,
): z.ZodString {
  // Within a sentence, a title begins with a small letter unless it is an abbreviation.
  const name = title.replace(/^[A-Z](?=[a-z])/, first => first.toLowerCase());
  return pasted(pastedMessages(name), characters && { characters }).meta({
    title,
    ...(hint !== undefined && { description: hint }),
    ...(example !== undefined && { examples: [example] }),
    ...(isSecret && { writeOnly: true }),
  });
}

function describeAuth(texts: AuthTexts, id: string, title: string) {
  const { description, instead, guide, helpUrl, revokeUrl = helpUrl } = texts;
  return {
    id: texts.id ?? id,
    title: texts.title ?? title,
    description,
    helpUrl,
    ...(instead !== undefined && { instead }),
    ...(guide && { guide }),
    revocation: { pageUrl: revokeUrl },
  };
}

/** Returns the request with another header. */
function withHeader(request: VendorRequest, name: string, value: string): VendorRequest {
  return { ...request, headers: { ...request.headers, [name]: value } };
}

export interface ApiKeyOptions extends AuthTexts, Omit<PastedField, 'title'> {
  /** Where the vendor expects the key. A query is written to more logs than a header. */
  readonly in: { readonly header: string } | { readonly query: string };
  /** What precedes the key in the header, such as `Token `. Default: nothing. */
  readonly prefix?: string;
}

type OneField<Name extends string> = Omit<AuthMethod, 'fields'> & {
  readonly fields: z.ZodObject<Record<Name, z.ZodString>, z.core.$strict>;
};

/** An API key that users paste, as the credential `api_key`. */
export function apiKey({ in: place, prefix = '', ...texts }: ApiKeyOptions): OneField<'api_key'> {
  const described = describeAuth(texts, 'api_key', 'API key');
  return {
    ...described,
    type: 'credentials',
    fields: z.strictObject({ api_key: pastedField({ ...texts, title: described.title }, true) }),
    rejectedField: 'api_key',
    authorize: (request, { credentials }) => {
      const key = prefix + String(credentials['api_key']);
      if ('header' in place) return withHeader(request, place.header.toLowerCase(), key);
      return { ...request, query: { ...request.query, [place.query]: key } };
    },
  };
}

/** An access token that users paste, as the credential `access_token`. */
export function bearer(texts: AuthTexts & Omit<PastedField, 'title'>): OneField<'access_token'> {
  const described = describeAuth(texts, 'access_token', 'Access token');
  return {
    ...described,
    type: 'credentials',
    fields: z.strictObject({ access_token: pastedField({ ...texts, title: described.title }, true) }),
    rejectedField: 'access_token',
    authorize: (request, { credentials }) =>
      withHeader(request, 'authorization', `Bearer ${String(credentials['access_token'])}`),
  };
}

export interface BasicOptions extends AuthTexts {
  readonly username?: PastedField;
  /** Null if the vendor expects the user name only. */
  readonly password?: PastedField | null;
}

/** A user name and a password for HTTP Basic (RFC 7617), as the credentials `username` and `password`. */
export function basic({ username, password, ...texts }: BasicOptions): AuthMethod {
  // In HTTP Basic, a colon would end the user name.
  const user = pastedField(username ?? { title: 'User name' }, password === null, /^[!-9;-~]+$/);
  const secret = password === null ? {} : { password: pastedField(password ?? { title: 'Password' }, true) };
  return {
    ...describeAuth(texts, 'basic', 'User name and password'),
    type: 'credentials',
    fields: z.strictObject({ username: user, ...secret }),
    rejectedField: password === null ? 'username' : 'password',
    authorize: (request, { credentials }) =>
      withHeader(
        request,
        'authorization',
        basicAuthorization(String(credentials['username']), asString(credentials['password']) ?? ''),
      ),
  };
}

/** How an OAuth client authenticates at the token endpoint (RFC 6749, section 2.3.1). */
export type ClientAuthentication = 'body' | 'basic';

/** Creates the request to a token endpoint, with the client's credentials. */
export function requestTokens(
  url: string,
  authentication: ClientAuthentication,
  client: { readonly clientId: string; readonly clientSecret: string },
  form: Readonly<Record<string, string>>,
): VendorRequest {
  const { clientId, clientSecret } = client;
  return authentication === 'body'
    ? { method: 'POST', url, form: { ...form, client_id: clientId, client_secret: clientSecret } }
    : { method: 'POST', url, form, headers: { authorization: basicAuthorization(clientId, clientSecret) } };
}

export interface ClientCredentialsOptions extends AuthTexts {
  readonly tokenUrl: string;
  readonly scopes?: readonly string[];
  /** Default: `body`. */
  readonly clientAuthentication?: ClientAuthentication;
  /** Other parameters of the token request, such as `audience`. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** The customer's own OAuth client, which gets access tokens without a user (RFC 6749, section 4.4). */
export function clientCredentials(api: Api, options: ClientCredentialsOptions): AuthMethod {
  const { tokenUrl, scopes = [], clientAuthentication = 'body', parameters } = options;
  const clientOf = ({ credentials }: Grant) => ({
    clientId: String(credentials['client_id']),
    clientSecret: String(credentials['client_secret']),
  });
  const credentialOf = (grant: Grant): string => JSON.stringify(clientOf(grant));
  return {
    ...describeAuth(options, 'client_credentials', 'Client ID and secret'),
    type: 'credentials',
    fields: z.strictObject({
      client_id: pastedField({ title: 'Client ID' }, false),
      client_secret: pastedField({ title: 'Client secret' }, true),
    }),
    rejectedField: 'client_secret',
    authorize: (request, grant) => withAccess(request, accessOf(grant, credentialOf(grant))?.token),
    refresh: {
      isDue: (grant, nowMs) => isAccessDue(grant, credentialOf(grant), nowMs),
      request: grant =>
        requestTokens(tokenUrl, clientAuthentication, clientOf(grant), {
          grant_type: 'client_credentials',
          ...(scopes.length > 0 && { scope: scopes.join(' ') }),
          ...parameters,
        }),
      read: (response, grant, nowMs) => {
        const { access_token, expires_in } = asObject(response.body);
        if (response.status !== 200 || typeof access_token !== 'string') {
          const field = 'client_secret';
          const rejected = { field, message: `${api.name} didn't accept this client ID and secret` };
          const failure = readGrantError(response, nowMs, { grant: rejected, client: rejected });
          throw vendorError(api.name, response.status, failure);
        }
        const state = accessState(access_token, expires_in, credentialOf(grant), nowMs);
        return { ...grant, state: { ...grant.state, ...state } };
      },
    },
  };
}

/** Returns the request with an access token. */
export function withAccess(request: VendorRequest, token: string | undefined): VendorRequest {
  return withHeader(request, 'authorization', `Bearer ${token ?? ''}`);
}
