import type { Connector, SourceDefinition } from '@connector-auth/api';

/** A name for the next connector of a source: the source's own, numbered from the second on. */
export function connectorNameFor(source: SourceDefinition, connectors: readonly Connector[]): string {
  const taken = new Set(connectors.map(({ name }) => name));
  // 200 characters is the service's limit for a name; leave room for the number.
  const base = source.name.slice(0, 190);
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base} ${number}`;
  return name;
}
