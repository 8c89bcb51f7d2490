import { z } from 'zod';
import { userId } from './agents.ts';
import { connectorType, customerName, readable, timestamp, uuid } from './names.ts';
import { maxWaitSeconds } from './oauth.ts';
import { pageMeta, pageQuery } from './paging.ts';
import { rule } from './rule.ts';
import { wholeNumber } from './whole-number.ts';

/** Lifetime of a connect link in seconds. `maxLong` is the maximum if the organization allows long links. */
export const connectLinkLifetimeSeconds = {
  min: 60,
  max: 24 * 60 * 60,
  maxLong: 7 * 24 * 60 * 60,
  default: 60 * 60,
} as const;
/** Lifetime of the codes that confirm who opened a link. */
export const connectCodeLifetimeSeconds = 5 * 60;
/** The maximum number of links of a customer that can still be used. */
export const maxOpenConnectLinks = 100;

const audience = z.enum(['customer', 'guest']);

export const createConnectLinkRequest = z
  .strictObject({
    customer_name: customerName.optional().meta({ description: 'Required with an application token' }),
    connector_type: connectorType.optional().meta({
      description:
        'The source to connect. Without it and `connector_id`, the person chooses one. Must be the kind of `connector_id` if both are set',
      examples: ['granola'],
    }),
    connector_id: uuid.optional().meta({ description: 'The connector to re-authenticate in place' }),
    expires_in: z
      .int()
      .min(connectLinkLifetimeSeconds.min)
      .max(connectLinkLifetimeSeconds.maxLong)
      .optional()
      .meta({
        description: `Lifetime in seconds; ${connectLinkLifetimeSeconds.default} if omitted. More than ${connectLinkLifetimeSeconds.max} only if the organization allows it with long_connect_links`,
      }),
    audience: audience.optional().meta({
      description:
        "Who can use the link. `customer` (default): people whom the integrator's helper identifies as this customer. `guest`: the first browser that confirms the link, if the organization allows such links; application tokens, and scoped tokens that may also create or reconnect connectors themselves",
    }),
    inviter: readable(z.string().max(80).regex(/\S/, 'Must not be blank'))
      .optional()
      .meta({
        description: 'Who asks the guest, as the page names them. Required for guests',
        examples: ['Ana Silva'],
      }),
  })
  .refine(
    body => body.audience !== 'guest' || body.inviter !== undefined,
    rule('Required for guests: the page names who asks them', 'inviter'),
  )
  .refine(
    body => body.audience === 'guest' || body.inviter === undefined,
    rule('Is only for links with the audience guest', 'inviter'),
  );
export type CreateConnectLinkRequest = z.input<typeof createConnectLinkRequest>;

export const createConnectLinkResponse = z.object({
  id: uuid,
  url: z.url().meta({
    description:
      'The page to open in a browser. Contains a secret that is returned only once; a person who opens it must still be confirmed',
  }),
  expires_at: timestamp,
});
export type CreateConnectLinkResponse = z.infer<typeof createConnectLinkResponse>;

export const connectLinkParams = z.strictObject({ id: uuid });

export const connectLinkQuery = z.strictObject({
  wait_seconds: wholeNumber(0, maxWaitSeconds)
    .optional()
    .meta({ description: 'Long poll: seconds to wait for the status to change' }),
});

const connectLinkStatus = z.enum(['open', 'confirmed', 'used', 'revoked', 'expired']);
export type ConnectLinkStatus = z.infer<typeof connectLinkStatus>;

/** A connect link without its secret. */
export const connectLink = z.object({
  id: uuid,
  status: connectLinkStatus.meta({
    description:
      '`open` until a browser is confirmed, `confirmed` until a connector is stored with the link, then `used`',
  }),
  connector_type: z
    .string()
    .nullable()
    .meta({ description: 'The source to connect; null if the person chooses' }),
  connector_id: uuid.nullable().meta({
    description: 'The connector to re-authenticate, or that was created with the link; otherwise null',
  }),
  audience,
  // Earlier versions of the service send none.
  inviter: z.string().nullable().optional().meta({ description: 'Who asks the guest; otherwise null' }),
  expires_at: timestamp,
  created_at: timestamp,
});
export type ConnectLink = z.infer<typeof connectLink>;

export const listConnectLinksQuery = z.strictObject({
  customer_name: customerName.optional(),
  connector_type: connectorType.optional().meta({
    description: 'Only links for this source; without it, also those whose source the person chooses',
  }),
  ...pageQuery,
});

export const listConnectLinksResponse = z.object({ data: z.array(connectLink), meta: pageMeta });
export type ListConnectLinksResponse = z.infer<typeof listConnectLinksResponse>;

export const confirmConnectLinkRequest = z.strictObject({
  code: z.string().min(1).max(200).meta({
    writeOnly: true,
    description: 'The one-time code that the browser brought to the helper; valid for five minutes',
  }),
  customer_name: customerName.nullable().meta({
    description: "Who is signed in on the integrator's page; null if no customer is",
    examples: ['acme'],
  }),
  user_id: userId.optional().meta({
    description:
      "The integrator's identifier for the person who is signed in. A link that an agent has requested works for its person only",
  }),
});
export type ConfirmConnectLinkRequest = z.input<typeof confirmConnectLinkRequest>;

export const confirmConnectLinkResponse = z.object({
  return_url: z.url().meta({
    description: 'Redirect the browser to this URL. Its code works only in the browser that opened the link',
  }),
});
export type ConfirmConnectLinkResponse = z.infer<typeof confirmConnectLinkResponse>;
