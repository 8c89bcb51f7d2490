import type { Connector, SourceDefinition } from '@connector-auth/api';

/** Returns a free name for a source's next connector: the source's own, numbered from the second one on. */
export function connectorNameFor(source: SourceDefinition, connectors: readonly Connector[]): string {
  const taken = new Set(connectors.map(({ name }) => name));
  // The service allows 200 characters; leaves room for the number.
  const base = source.name.slice(0, 190);
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base} ${number}`;
  return name;
}
