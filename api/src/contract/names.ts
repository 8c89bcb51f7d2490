import { z } from 'zod';
import { parseOrigin } from '../origin.ts';

/**
 * Text without control characters or lone surrogates. Strings that differ only in control characters look the
 * same in logs, and PostgreSQL rejects NUL. A lone surrogate has no UTF-8 encoding and would be replaced when
 * it is stored, so two different strings could become equal.
 */
export const cleanText = /^[^\p{Cc}\p{Cs}]+$/u;

/** Excludes characters that can change the order in which the rest of a sentence is displayed. */
export const directionless = /^\P{Bidi_C}*$/u;
export const directionRule = 'Must not contain characters that change the text direction';

/** Adds the rules for names that people read among other words. */
export function readable(name: z.ZodString): z.ZodString {
  return name
    .regex(cleanText, 'Must not contain control characters or lone surrogates')
    .regex(directionless, directionRule);
}

/**
 * The integrator's identifier for a customer: 1 to 200 characters of well-formed Unicode, no control
 * characters. The service rejects new names that are not {@link directionless}; those in use must still work.
 */
export const customerName = z
  .string()
  .min(1)
  .max(200)
  .regex(/\S/, 'Must not be blank')
  .regex(cleanText, 'Must not contain control characters or lone surrogates')
  // A URL cannot contain these as a path segment: they are resolved as relative paths.
  .regex(/^(?!\.{1,2}$)/, 'Must not be "." or ".."')
  .meta({
    description:
      "The integrator's identifier for the customer. A new one must not contain characters that change the text direction",
    examples: ['acme'],
  });

/** The maximum length of a name that people see. */
export const displayNameLength = 80;

export const customerDisplayName = readable(
  z.string().max(displayNameLength).regex(/\S/, 'Must not be blank'),
).meta({
  description:
    "The customer's name as people know it, such as its company. Pages of the service show it to people, and never `customer_name`. Stored with the customer; unchanged if omitted",
  examples: ['Acme Inc.'],
});

/** The languages in which the service describes sources. Languages without a translation fall back to English. */
export const languages = ['en', 'ar', 'de', 'es', 'fr', 'ja', 'pt', 'zh'] as const;
export type Language = (typeof languages)[number];

/** A connector kind in a request. Case, spaces, `-` and `_` are ignored when it is matched. */
export const connectorType = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Connector kind, e.g. `granola`', examples: ['granola'] });

export const connectorName = z
  .string()
  .min(1)
  .max(200)
  // Removed instead of rejected, because customers paste them unseen.
  .overwrite(name => name.replaceAll(/\p{Bidi_C}/gu, ''))
  .regex(/\S/, 'Must not be blank')
  .regex(cleanText, 'Must not contain control characters or lone surrogates')
  .meta({
    description: 'Display name of the connector. Characters that change the text direction are removed',
    examples: ['Sales notes'],
  });

/** An origin that may embed the widget; normalized when parsed. */
export const allowedOrigin = z
  .string()
  .transform((text, context) => {
    const origin = parseOrigin(text);
    if (origin !== null) return origin;
    context.issues.push({
      code: 'custom',
      input: text,
      message:
        'Must be an origin: https://host[:port], or http on localhost, without path, wildcard or user info',
    });
    return z.NEVER;
  })
  .meta({ description: 'Origin of the page that embeds the widget', examples: ['https://app.example.com'] });

export const uuid = z.uuid('Must be a UUID');

/** Value of the `Idempotency-Key` header: 1 to 255 printable ASCII characters. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, 'Must be 1 to 255 printable ASCII characters')
  .meta({ examples: ['5f1c0a52-7f0e-4a0e-9a53-0a6f6b1d8d11'] });

export const timestamp = z.iso.datetime().meta({ description: 'ISO 8601, UTC' });

export const actionNames = ['list', 'get', 'search', 'update', 'create', 'check'] as const;
export const actionName = z.enum(actionNames);
export type ActionName = z.infer<typeof actionName>;

/** The actions that do not change data at the vendor. Minted tokens allow these by default. */
export const readOnlyActions = ['list', 'get', 'search', 'check'] as const satisfies readonly ActionName[];

/** Whether the actions `create` and `update` may change data at the vendor. */
export const accessLevel = z.enum(['read', 'write']);
export type AccessLevel = z.infer<typeof accessLevel>;

/**
 * What a scoped or widget token can change in the service. `create` and `reconnect` include starting an OAuth
 * consent. `settings` includes changing `replication_config`. `link` is reserved.
 */
export const managementRights = ['create', 'rename', 'reconnect', 'delete', 'settings', 'link'] as const;
export const managementRight = z.enum(managementRights);
export type ManagementRight = z.infer<typeof managementRight>;

/**
 * Data that a token reads only if its request names it. `private_fields` are fields that are not among the specified
 * fields of a record, because only its author should see them.
 */
export const dataRights = ['private_fields'] as const;
export const dataRight = z.enum(dataRights);
export type DataRight = z.infer<typeof dataRight>;

/** The rights of a token without restrictions. `link` is granted only if a request names it. */
export const defaultManagement = [
  'create',
  'rename',
  'reconnect',
  'delete',
  'settings',
] as const satisfies readonly ManagementRight[];
