import { ConnectorAuthError, validate } from '@connector-auth/api';
import type { Kind, OAuthApp } from '@connector-auth/connectors/kind';
import { z } from 'zod';

const part = (name: string, more: object = {}) =>
  z
    .string(`Enter the ${name}`)
    .trim()
    .regex(/^[\x21-\x7e]{1,2000}$/, `The ${name} must be 1 to 2000 printable ASCII characters without spaces`)
    .meta({ title: name, ...more });

/** Returns the schema for a kind's OAuth app, or null if the kind does not support OAuth. */
export function appSchemaOf(kind: Kind): z.ZodObject | null {
  if (!kind.authMethods.some(({ consent }) => consent)) return null;
  return z.strictObject({
    client_id: part('client id'),
    client_secret: part('client secret', { writeOnly: true }),
    ...kind.appExtras?.shape,
  });
}

/**
 * Validates and parses the configuration of an OAuth app.
 * @throws ConnectorAuthError `invalid_credentials` with issues under `configuration`.
 */
export function parseApp(kind: Kind, schema: z.ZodObject, configuration: unknown): OAuthApp {
  const result = validate(schema, configuration, 'configuration');
  if (!result.ok) {
    throw ConnectorAuthError.invalid(
      'invalid_credentials',
      result.issues,
      `The OAuth app is not valid for ${kind.name}`,
    );
  }
  const { client_id, client_secret, ...extras } = result.value;
  const texts = Object.entries(extras).filter(([, value]) => value !== undefined);
  return {
    clientId: String(client_id),
    clientSecret: String(client_secret),
    extras: Object.fromEntries(texts.map(([name, value]) => [name, String(value)])),
  };
}
