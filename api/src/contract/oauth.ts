import { z } from 'zod';
import { connectorType, customerName, timestamp, uuid } from './names.ts';
import { kindNames, namesKind } from './rule.ts';
import { wholeNumber } from './whole-number.ts';

/** Lifetime of a pending OAuth session, and of the `secret_id` after the user has consented. */
export const oauthLifetimeSeconds = 600;
/** Lifetime of the `secret_id` of a session with a `challenge`, while the user chooses accounts. */
export const choosingLifetimeSeconds = 1800;
/** Maximum time for which a request for a session's status can wait. */
export const maxWaitSeconds = 25;

/** PKCE code verifier (RFC 7636) of 43 to 128 unreserved characters. */
const verifier = z.string().regex(/^[\w.~-]{43,128}$/, 'Must be 43 to 128 letters, digits, or - . _ ~');

export const initiateOAuthRequest = z
  .strictObject({
    customer_name: customerName.optional().meta({ description: 'Required with an application token' }),
    ...kindNames,
    redirect_url: z
      .string()
      .min(1)
      .max(2000)
      .meta({
        format: 'uri',
        description:
          "Where the user is redirected afterwards, with `secret_id` or `error` in the query. Must be registered for the application, be on the widget token's origin, or be `<service>/oauth/complete`",
        examples: ['https://app.example.com/connected'],
      }),
    challenge: z
      .string()
      .regex(/^[\w-]{43}$/, 'Must be the base64url-encoded SHA-256 of the verifier')
      .optional()
      .meta({
        description:
          "S256 challenge. The session's status contains the `secret_id` only if the request carries the matching verifier. Required with the service's own completion page",
      }),
    connector_id: uuid.optional().meta({ description: 'The connector to re-authenticate in place' }),
  })
  .refine(...namesKind);
export type InitiateOAuthRequest = z.input<typeof initiateOAuthRequest>;

export const initiateOAuthResponse = z.object({
  consent_url: z.url().meta({
    description:
      'Redirect the user to this URL. If a widget token started the session, this page asks for confirmation',
  }),
  session_id: uuid,
  start_proof: z.string().optional().meta({
    description:
      "Widget tokens only: a form on the token's origin that posts `session_id` and `start_proof` to `<service>/oauth/start` opens the vendor's page without a confirmation. Valid while the session is pending",
  }),
  expires_at: timestamp,
});
export type InitiateOAuthResponse = z.infer<typeof initiateOAuthResponse>;

export const oauthSessionParams = z.strictObject({ session_id: uuid });

export const oauthSessionQuery = z.strictObject({
  wait: wholeNumber(0, maxWaitSeconds)
    .optional()
    .meta({ description: 'Long poll: seconds to wait for a status other than `pending`' }),
});

export const oauthSessionHeaders = z.object({
  'x-oauth-verifier': verifier.optional().meta({
    description: 'The verifier of the `challenge`; required to receive the `secret_id`',
  }),
});

export const sessionAccountsHeaders = z.object({
  'x-oauth-verifier': verifier
    .optional()
    .meta({ description: 'The verifier of the `challenge`; required unless `X-OAuth-Secret-Id` is set' }),
  'x-oauth-secret-id': z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "The session's `secret_id`" }),
});

const oauthSessionStatus = z.enum(['pending', 'completed', 'denied', 'failed', 'expired']);
export type OAuthSessionStatus = z.infer<typeof oauthSessionStatus>;

/** An OAuth session and its outcome. */
export const oauthSession = z.object({
  session_id: uuid,
  connector_type: z.string(),
  status: oauthSessionStatus,
  expires_at: timestamp,
  secret_id: z.string().nullable().meta({
    description:
      'Set on a completed session if the request carries the verifier; null after a connector was created with it',
  }),
  connector_id: uuid
    .nullable()
    .meta({ description: 'The connector that was created or re-authenticated with the `secret_id`' }),
  error: z
    .object({
      code: z.string().meta({
        description:
          "`access_denied`, `cancelled`, `issuer_mismatch`, `issuer_missing`, a problem code, or the vendor's own code",
      }),
      message: z.string(),
      reason: z.string().nullable().optional().meta({
        description: 'Why the vendor denied access, in its own words; null if it gave no reason',
      }),
    })
    .nullable()
    .meta({ description: "Why the user's consent was denied or the authorization failed" }),
});
export type OAuthSession = z.infer<typeof oauthSession>;

/** An organization's own OAuth app at a vendor. */
export const setOAuthCredentialsRequest = z
  .strictObject({
    ...kindNames,
    configuration: z.record(z.string(), z.unknown()).meta({
      writeOnly: true,
      description: 'Must match the `schema` returned by `oauth/credentials/spec`',
    }),
  })
  .refine(...namesKind);
export type SetOAuthCredentialsRequest = z.input<typeof setOAuthCredentialsRequest>;

export const oauthCredentials = z.object({
  connector_type: z.string(),
  definition_id: uuid,
  client_id: z.string(),
  updated_at: timestamp,
});
export type OAuthCredentials = z.infer<typeof oauthCredentials>;

export const oauthCredentialsSpecQuery = z.strictObject({ connector_type: connectorType });

export const oauthCredentialsSpec = z.object({
  connector_type: z.string(),
  definition_id: uuid,
  redirect_url: z.url().meta({ description: 'Redirect URL to register in the OAuth app at the vendor' }),
  schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of `configuration`' }),
});
export type OAuthCredentialsSpec = z.infer<typeof oauthCredentialsSpec>;

export const oauthCredentialsParams = z.strictObject({ type: connectorType });
