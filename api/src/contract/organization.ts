import { z } from 'zod';
import { isLoopbackPage } from '../origin.ts';
import { displayNameLength, readable, uuid } from './names.ts';

/** Minimum and maximum of an organization's sync interval. */
export const syncIntervalMinutes = { min: 5, max: 30 * 24 * 60 } as const;

/** The settings that integrators and operators read under the same name. */
export const organizationSettings = {
  support_url: z.url().nullable().meta({ description: 'Where users find help' }),
  sync_interval_minutes: z.int().nullable().meta({
    description: 'Minutes between two syncs of a connector; null means the default',
  }),
  // Earlier versions of the service send none of the following.
  connect_helper_url: z
    .url()
    .nullable()
    .default(null)
    .meta({ description: "Where the integrator's helper is mounted; null means it is not registered" }),
  guest_connect_links: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether connect links can be for people without an account' }),
  long_connect_links: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether connect links can be valid for up to seven days instead of one' }),
  agent_sign_in: z.boolean().default(false).meta({
    description:
      "Whether people of the integrator's customers can sign in to the MCP server from chat clients",
  }),
  brand_color: z.string().nullable().default(null).meta({
    description: 'The colour of the main actions on the pages of connect links; null means the default',
  }),
};

/** The organization that a token belongs to, and its settings. */
export const organization = z.object({
  id: uuid,
  name: z.string().meta({ description: 'The name that users see' }),
  logo_url: z.url().nullable().meta({ description: 'The logo that users see' }),
  ...organizationSettings,
  default_sync_interval_minutes: z
    .int()
    .meta({ description: "The operator's default, used when `sync_interval_minutes` is null" }),
});
export type Organization = z.infer<typeof organization>;

/** The enabled organizations of an application. */
export const listOrganizationsResponse = z.object({
  data: z.array(
    z.object({ id: uuid, name: z.string().meta({ description: 'The unique name that operators use' }) }),
  ),
});
export type ListOrganizationsResponse = z.infer<typeof listOrganizationsResponse>;

/** The maximum length of a name, and the size limits of a logo. */
export const displayLimits = {
  nameLength: displayNameLength,
  logoBytes: 256 * 1024,
  logoPixels: 1024,
} as const;

/** Returns whether a text is an https URL, or http on a loopback host, without user, query or fragment. */
export function isHelperUrl(text: string): boolean {
  if (!URL.canParse(text) || /[?#\\]/.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopbackPage(hostname));
  return isSafe && username === '' && password === '';
}

/** The settings that integrators and operators can change. */
export const updateOrganizationSettings = {
  name: readable(z.string().max(displayLimits.nameLength).regex(/\S/, 'Must not be blank'))
    .nullable()
    .optional()
    .meta({
      description: 'The name that users see in the widget and on the consent page; null restores the default',
      examples: ['Acme Analytics'],
    }),
  support_url: z
    .url({ protocol: /^https$/, error: 'Must be an https URL' })
    .max(500)
    .nullable()
    .optional()
    .meta({
      description: 'Where the widget sends users for help; null removes it',
      examples: ['https://acme.example/support'],
    }),
  connect_helper_url: z
    .url({ protocol: /^https?$/, error: 'Must be an https URL, or http on a loopback host' })
    .max(500)
    .refine(isHelperUrl, 'Must be an https URL, or http on a loopback host, without user, query or fragment')
    .overwrite(url => url.replace(/\/+$/, ''))
    .nullable()
    .optional()
    .meta({
      description:
        "The public URL where the integrator's helper is mounted, which confirms who opens a connect link; null removes it",
      examples: ['https://app.example.com/connector-auth'],
    }),
  guest_connect_links: z.boolean().nullable().optional().meta({
    description:
      'Allow connect links for people without an account: the first browser to confirm one may use it; null means false',
  }),
  long_connect_links: z.boolean().nullable().optional().meta({
    description: 'Allow connect links that are valid for up to seven days instead of one; null means false',
  }),
  agent_sign_in: z.boolean().nullable().optional().meta({
    description:
      "Let people of the integrator's customers sign in to the MCP server from chat clients, by way of the helper at `connect_helper_url`; null means false",
  }),
  brand_color: z
    .string()
    .regex(/^#[\da-f]{6}$/i, 'Must be a colour such as #3150d3')
    .nullable()
    .optional()
    .meta({
      description: 'The colour of the main actions on the pages of connect links; null restores the default',
      examples: ['#3150d3'],
    }),
  // A number out of bounds is a 422, not a 400, so the schema does not enforce the bounds.
  sync_interval_minutes: z
    .int()
    .nullable()
    .optional()
    .meta({
      description: 'Minutes between two syncs of a connector; null restores the default',
      minimum: syncIntervalMinutes.min,
      maximum: syncIntervalMinutes.max,
      examples: [15],
    }),
};

export const updateOrganizationRequest = z
  .strictObject(updateOrganizationSettings)
  .refine(settings => Object.values(settings).some(value => value !== undefined), {
    message: `Set at least one of ${Object.keys(updateOrganizationSettings).join(', ')}`,
    path: ['sync_interval_minutes'],
  });
export type UpdateOrganizationRequest = z.input<typeof updateOrganizationRequest>;

export const setLogoRequest = z.strictObject({
  image: z.base64().meta({
    description: `The logo, a PNG or WebP image of up to ${displayLimits.logoPixels} × ${displayLimits.logoPixels} pixels and ${displayLimits.logoBytes / 1024} KiB, in base64`,
  }),
});
export type SetLogoRequest = z.input<typeof setLogoRequest>;

/** What users see of the organization. A member is null if the operator has not set it. */
export const integrator = z.object({
  name: z.string().nullable(),
  logo_url: z.url().nullable(),
  support_url: z.url().nullable(),
});
export type Integrator = z.infer<typeof integrator>;
