import type { FlowEvent, State } from './flow.ts';
import type { AgentState } from './next.ts';

/** Implements `next` for the screen of apps and agents. */
export function nextInAgents(state: AgentState, event: FlowEvent): State {
  const { name, catalog } = state;
  switch (name) {
    case 'openingAgents':
      return event.type === 'agentsListed' ? { name: 'agents', catalog, agents: event.agents } : state;
    case 'agents': {
      if (event.type === 'back') return { name: 'catalog', catalog, cameFrom: 'agents' };
      if (event.type !== 'endAgent') return state;
      const { agents } = state;
      const agent = agents.find(({ id }) => id === event.agentId);
      return agent ? { name: 'confirmingAgent', catalog, agents, agent, failure: null } : state;
    }
    case 'confirmingAgent': {
      const { agents, agent } = state;
      if (event.type === 'back') return { name: 'agents', catalog, agents, cameFrom: agent };
      return event.type === 'confirm' ? { name: 'endingAgent', catalog, agents, agent } : state;
    }
    case 'endingAgent': {
      const { agents, agent } = state;
      if (event.type === 'failed') return { ...state, name: 'confirmingAgent', failure: event.failure };
      return event.type === 'agentEnded'
        ? { name: 'agents', catalog, agents: agents.filter(({ id }) => id !== agent.id), ended: agent }
        : state;
    }
  }
}
