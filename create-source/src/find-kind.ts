import { findKind } from '@connector-auth/connectors';
import type { Kind } from '@connector-auth/connectors/kind';
import { loadKinds } from '@connector-auth/connectors/load';

/**
 * Finds the kind that an argument names: a built-in kind by its name, or the kind of a file or package.
 * @throws Error with all problems of its declaration.
 */
export async function loadKind(source: string, directory: string): Promise<Kind> {
  const builtIn = findKind(source);
  if (builtIn !== null) return builtIn;
  const { kinds, problems } = await loadKinds(source, directory);
  if (problems.length > 0) throw new Error(problems.map(text => text.replace(/^KINDS: /, '')).join('\n'));
  const kind = kinds.at(-1);
  if (kind === undefined || findKind(kind.key) !== null) throw new Error(`${source} has no kind`);
  return kind;
}
