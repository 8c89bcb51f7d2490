import { z } from 'zod';
import { connectorType, customerName, timestamp, uuid } from '../names.ts';
import { pageMeta, pageQuery } from '../paging.ts';
import { rule } from '../rule.ts';
import { operatorName, reference } from './lists.ts';

export const incidentParams = z.strictObject({ incident_id: uuid });

const scopes = ['organization', 'kind', 'application', 'customer'] as const;

/** Exactly one scope. */
export const declareIncidentRequest = z
  .strictObject({
    organization: uuid.optional(),
    kind: connectorType.optional(),
    application: uuid.optional(),
    customer: z.strictObject({ organization: uuid, name: customerName }).optional(),
    reason: operatorName.optional().meta({ description: 'A note for the record' }),
  })
  .refine(
    body => scopes.filter(scope => body[scope] !== undefined).length === 1,
    rule('Set exactly one of organization, kind, application and customer'),
  );
export type DeclareIncidentRequest = z.input<typeof declareIncidentRequest>;

const receiptStates = ['pending', 'confirmed', 'vendor_cannot'] as const;

export const incident = z.object({
  id: uuid,
  scope: z.enum(scopes),
  target: z.string().meta({ description: 'The name of what the incident is about' }),
  reason: z.string().nullable(),
  status: z.enum(['open', 'undone']),
  declared_at: timestamp,
  declared_by: z.string(),
  undone_at: timestamp.nullable(),
  frozen_connectors: z.int().meta({ description: 'The connectors in scope when the incident was declared' }),
  receipts: z.object({ pending: z.int(), confirmed: z.int(), vendor_cannot: z.int() }).meta({
    description: 'Undoing the incident stops the pending revocations, except those of deleted connectors',
  }),
  advice: z.string().optional().meta({
    description: 'What is left to do by hand. Omitted if nothing is',
  }),
});
export type Incident = z.infer<typeof incident>;

export const listIncidentsQuery = z.strictObject(pageQuery);
export const incidentPage = z.object({ data: z.array(incident), meta: pageMeta });

/** What became of one grant at the vendor. */
const receipt = z.object({
  connector: reference.nullable().meta({
    description:
      'Null for a consent that no connector has used, and for a grant that its connector no longer used',
  }),
  organization: reference,
  customer: reference,
  connector_type: z.string(),
  state: z.enum(receiptStates).meta({
    description:
      '`vendor_cannot` if the vendor has no API for it: the customer must revoke the key on the vendor’s page. Until then the key works at the vendor, and once the incident is undone, the connector works with it again',
  }),
  attempts: z.int(),
  last_error: z.string().nullable(),
  confirmed_at: timestamp.nullable(),
  vendor_page: z.url().nullable().meta({
    description: 'The vendor’s page for revoking the grant or key by hand. Null if it is confirmed',
  }),
});
export type Receipt = z.infer<typeof receipt>;

export const listReceiptsQuery = z.strictObject({ state: z.enum(receiptStates).optional(), ...pageQuery });
export const receiptPage = z.object({ data: z.array(receipt), meta: pageMeta });
