import type { ListAgentsResponse } from '@connector-auth/api';
import type { FlowEvent } from '../flow/flow.ts';
import type { AgentState } from '../flow/next.ts';
import type { ServiceError } from '../service/failure.ts';
import type { Service } from '../service/service.ts';

/** Runs the effect of a state of the screen for apps and agents. Resolves with the event for its outcome, or null. */
export async function runAgentEffect(
  state: AgentState,
  service: Service,
  signal: AbortSignal,
): Promise<FlowEvent | null> {
  if (state.name === 'openingAgents') {
    const { data } = await service.call<ListAgentsResponse>({ path: '/agents?limit=1000' }, signal);
    return { type: 'agentsListed', agents: data };
  }
  if (state.name !== 'endingAgent') return null;
  try {
    await service.call({ method: 'DELETE', path: `/agents/${state.agent.id}` }, signal);
  } catch (error) {
    // The network code throws nothing else. It has ended already, which is what the user wants.
    if ((error as Partial<ServiceError>).failure?.code !== 'agent_not_found') throw error;
  }
  return { type: 'agentEnded' };
}
