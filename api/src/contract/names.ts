import { z } from 'zod';
import { parseOrigin } from '../origin.ts';

/**
 * Text without control characters and half characters. Control characters cannot be told apart in logs, and PostgreSQL refuses NUL;
 * half a surrogate pair has no UTF-8, so two such texts would be stored as the same.
 */
export const cleanText = /^[^\p{Cc}\p{Cs}]+$/u;

/** The caller's own identifier of an end-customer: 1 to 200 characters, no control characters, well-formed Unicode. */
export const customerName = z
  .string()
  .min(1)
  .max(200)
  .regex(/\S/, 'Must not be blank')
  .regex(cleanText, 'Must not contain control characters or lone surrogates')
  // As a path segment these two mean "here" and "one up": a URL cannot name such a customer.
  .regex(/^(?!\.{1,2}$)/, 'Must not be "." or ".."')
  .meta({ description: "The caller's identifier of the end-customer", examples: ['acme'] });

/** A kind of connector, as the caller writes it: matched ignoring case, spaces, `-` and `_`. */
export const connectorType = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Kind of connector, e.g. `granola`', examples: ['granola'] });

/** What a connector instance is called. */
export const connectorName = z
  .string()
  .min(1)
  .max(200)
  .regex(/\S/, 'Must not be blank')
  .regex(cleanText, 'Must not contain control characters or lone surrogates')
  .meta({ description: 'Name of this connector instance', examples: ['Sales notes'] });

/** An origin that may embed the widget, in its normal form. */
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

/** What a caller sends as `Idempotency-Key`: 1 to 255 printable ASCII characters. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, 'Must be 1 to 255 printable ASCII characters')
  .meta({ examples: ['5f1c0a52-7f0e-4a0e-9a53-0a6f6b1d8d11'] });

/** An instant, ISO 8601 in UTC. */
export const timestamp = z.iso.datetime().meta({ description: 'ISO 8601, UTC' });

/** The actions an execute call may name. */
export const actionNames = ['list', 'get', 'search', 'update', 'create', 'check'] as const;
export const actionName = z.enum(actionNames);
export type ActionName = z.infer<typeof actionName>;

/** The actions that change nothing at the vendor: what a minted token allows unless told otherwise. */
export const readOnlyActions = ['list', 'get', 'search', 'check'] as const satisfies readonly ActionName[];
