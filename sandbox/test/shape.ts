/** Lists the paths and types in the values as sorted lines of the form `path: type`, to compare shapes. */
export function describeShape(...values: readonly unknown[]): string[] {
  const lines = new Set<string>();
  const visit = (path: string, value: unknown): void => {
    lines.add(`${path}: ${typeName(value)}`);
    if (Array.isArray(value)) for (const element of value) visit(`${path}[]`, element);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) visit(`${path}.${key}`, inner);
    }
  };
  for (const value of values) visit('$', value);
  return [...lines].sort();
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
