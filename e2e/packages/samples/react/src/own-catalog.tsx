import { createConnectorFlow, searchDefinitions } from '@connector-auth/widget/headless';
import { useEffect, useState, useSyncExternalStore } from 'react';

/** Uses the widget's headless flow with a custom user interface. */
export function OwnCatalog() {
  const [flow] = useState(() => createConnectorFlow({ tokenUrl: '/token' }));
  const state = useSyncExternalStore(flow.subscribe, () => flow.state);
  useEffect(() => flow.send({ type: 'start' }), [flow]);
  if (state.name === 'unavailable') {
    return <button onClick={() => flow.send({ type: 'retry' })}>{state.failure.message}</button>;
  }
  if (state.name === 'filling') return <h2>A form for {state.definition.name}</h2>;
  if (state.name !== 'catalog') return <p>Loading</p>;
  return (
    <ul>
      {searchDefinitions(state.catalog.definitions, '').map(({ sourceDefinitionId: definitionId, name }) => (
        <li key={definitionId}>
          <button onClick={() => flow.send({ type: 'pick', definitionId })}>Own {name}</button>
        </li>
      ))}
    </ul>
  );
}
