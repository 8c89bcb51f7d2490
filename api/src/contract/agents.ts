import { z } from 'zod';
import {
  connectorType,
  customerDisplayName,
  customerName,
  dataRight,
  readable,
  timestamp,
  uuid,
  type ActionName,
  type ManagementRight,
} from './names.ts';
import { pageMeta, pageQuery } from './paging.ts';

/** What a person can allow an agent, and which rights that is. The names are those of the tools of the MCP server. */
export const agentScopes = {
  read: { actions: ['list', 'get'], management: [] },
  search: { actions: ['search'], management: [] },
  write: { actions: ['create', 'update'], management: [] },
  connect: { actions: [], management: ['link'] },
} as const satisfies Readonly<
  Record<string, { readonly actions: readonly ActionName[]; readonly management: readonly ManagementRight[] }>
>;
export type AgentScope = keyof typeof agentScopes;
export const agentScopeNames = Object.keys(agentScopes) as [AgentScope, ...AgentScope[]];
/** What an agent asks for if its request names nothing. */
export const defaultAgentScopes = ['read', 'search'] as const satisfies readonly AgentScope[];

/** How long agents may act, in days: without being used, and at most. */
export const agentLifetimeDays = { unused: 30, max: 180 } as const;
/** Lifetime of the tokens with which agents call the MCP server. */
export const agentTokenLifetimeSeconds = 20 * 60;
/** Lifetime of the codes that confirm who signs in. */
export const agentSignInCodeLifetimeSeconds = 5 * 60;

const scope = z.enum(agentScopeNames);

/** The integrator's identifier for a person of a customer. */
export const userId = customerName.meta({
  description: "The integrator's identifier for the person, which must stay the same",
  examples: ['user-4711'],
});

const userName = readable(z.string().max(80).regex(/\S/, 'Must not be blank')).meta({
  description: "The person's name as people know it",
  examples: ['Ana Silva'],
});

/** An app or agent that a person has allowed to use a customer's data. */
export const agent = z.object({
  id: uuid,
  client: z.object({
    id: z.string().meta({ description: 'The `client_id` in the authorization server' }),
    name: z.string().nullable().meta({ description: 'What the client says it is called; not verified' }),
    host: z
      .string()
      .nullable()
      .meta({ description: "The client's host; null if it is an app on the person's device" }),
  }),
  customer_name: z.string(),
  user: z.object({ id: z.string(), name: z.string() }),
  scopes: z.array(scope).meta({ description: 'What the person has allowed' }),
  allowed_sources: z
    .array(z.string())
    .nullable()
    .meta({ description: 'The sources that it can use; null means all' }),
  authorized_at: timestamp,
  last_used_at: timestamp.meta({ description: 'To the minute' }),
  expires_at: timestamp.meta({
    description: `When it ends; earlier if it is not used for ${agentLifetimeDays.unused} days`,
  }),
});
export type Agent = z.infer<typeof agent>;

export const agentParams = z.strictObject({ id: uuid });
export const adminAgentParams = z.strictObject({ agent_id: uuid });
export const listCustomerAgentsQuery = z.strictObject({ ...pageQuery });

export const listAgentsQuery = z.strictObject({ customer_name: customerName.optional(), ...pageQuery });
export const listAgentsResponse = z.object({ data: z.array(agent), meta: pageMeta });
export type ListAgentsResponse = z.infer<typeof listAgentsResponse>;

export const userParams = z.strictObject({ name: customerName, user_id: userId });

export const agentSignInId = z.string().regex(/^[\w-]{16,128}$/, 'Must be the id of a sign-in');
export const agentSignInParams = z.strictObject({ id: agentSignInId });

export const confirmAgentSignInRequest = z.strictObject({
  code: z.string().min(1).max(200).meta({
    writeOnly: true,
    description: 'The one-time code that the browser brought to the helper; valid for five minutes',
  }),
  customer_name: customerName,
  customer_display_name: customerDisplayName.optional(),
  user: z.strictObject({ id: userId, name: userName }),
  allowed_scopes: z.array(scope).max(10).optional().meta({
    description: 'What this person can allow; everything if omitted',
  }),
  allowed_sources: z
    .array(connectorType)
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Connector kinds that the person can allow; all if omitted' }),
  allowed_data: z.array(dataRight).max(20).optional().meta({
    description: 'Data that the agent can read in addition, as for tokens; none if omitted',
  }),
});
export type ConfirmAgentSignInRequest = z.input<typeof confirmAgentSignInRequest>;

export const confirmAgentSignInResponse = z.object({
  return_url: z.url().meta({
    description:
      'Redirect the browser to this URL. Its code works only in the browser that started to sign in',
  }),
});
export type ConfirmAgentSignInResponse = z.infer<typeof confirmAgentSignInResponse>;
