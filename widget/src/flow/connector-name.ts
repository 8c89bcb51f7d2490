import type { Connector, SourceDefinition } from '@connector-auth/api';

/** Returns an unused name for a new connector: the source's name, with a number if that is already used. */
export function connectorNameFor(source: SourceDefinition, connectors: readonly Connector[]): string {
  const taken = new Set(connectors.map(({ name }) => name));
  // The service allows 200 characters, some of which are left for the number.
  const base = source.name.slice(0, 190);
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base} ${number}`;
  return name;
}
