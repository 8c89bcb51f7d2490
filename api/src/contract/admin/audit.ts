import { z } from 'zod';
import { customerName, timestamp, uuid } from '../names.ts';
import { pageMeta, pageQuery } from '../paging.ts';
import { wholeNumber } from '../whole-number.ts';

const auditActors = ['application', 'admin_key', 'customer_token', 'agent', 'sync', 'service'] as const;

/** Who did what, when and with which outcome. Never contains values. */
const auditEntry = z.object({
  id: z.string().meta({ description: 'Increases with every entry, with gaps' }),
  at: timestamp,
  actor: z.object({
    type: z.enum(auditActors),
    id: z.string().nullable().meta({ description: 'Id of the application or admin key' }),
    name: z.string().nullable().meta({ description: 'The present name of an application' }),
    token_id: z.string().nullable(),
  }),
  organization_id: uuid.nullable(),
  customer_name: z.string().nullable(),
  connector_id: uuid.nullable(),
  connector_type: z.string().nullable(),
  entity: z.string().nullable(),
  action: z.string().meta({ description: 'Such as `list`, `connector.created` or `application.disabled`' }),
  application_id: uuid.nullable().optional().meta({
    description: 'The application that an administrative act is about',
  }),
  target_id: z.string().nullable().meta({ description: 'What an administrative act changed' }),
  target_name: z.string().nullable().optional().meta({
    description:
      'Its present name, if it is an application, an admin key, an organization or an incident, or the name of the application of a client secret',
  }),
  outcome: z.string().meta({ description: '`ok` or a problem code' }),
  records: z.int().nullable(),
  request_id: z.string().nullable(),
  address: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const filters = {
  organization_id: uuid.optional(),
  customer_name: customerName.optional(),
  connector_id: uuid.optional(),
  actor_id: z.string().min(1).max(200).optional(),
  action: z.string().min(1).max(200).optional(),
  outcome: z.string().min(1).max(100).optional().meta({ description: '`ok`, `error`, or a problem code' }),
  from: timestamp.optional(),
  to: timestamp.optional(),
};

/** Newest first. */
export const listAuditQuery = z.strictObject({ ...filters, ...pageQuery });
export const auditPage = z.object({ data: z.array(auditEntry), meta: pageMeta });

/** Oldest first, so that an export can be continued with the last cursor. */
export const exportAuditQuery = z.strictObject({
  ...filters,
  cursor: pageQuery.cursor,
  limit: wholeNumber(1, 10_000).optional().meta({ description: 'Lines, 10,000 if omitted' }),
});
