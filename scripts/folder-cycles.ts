/** An import, as two paths relative to the workspace root. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/**
 * Siblings in one folder that import each other directly or through others, and the imports that form the
 * cycle.
 */
export interface FolderCycle {
  readonly folder: string;
  readonly members: readonly string[];
  readonly imports: readonly Import[];
}

/**
 * Finds import cycles between siblings (the files and folders directly inside one folder). An import is
 * attributed to each enclosing folder, up to the closest common ancestor of both files. For example, `a/x.ts
 * → b/y.ts → a/z.ts` is a cycle between the folders `a` and `b`, although it is not a cycle of files.
 */
export function findFolderCycles(imports: readonly Import[]): FolderCycle[] {
  const edges = new Map<string, (Import & { readonly source: string; readonly target: string })[]>();
  for (const { from, to } of imports) {
    const [start, end] = [from.split('/'), to.split('/')];
    const depth = start.findIndex((name, index) => name !== end[index]);
    const [source, target] = [start[depth], end[depth]];
    if (source === undefined || target === undefined) continue;
    const folder = start.slice(0, depth).join('/');
    edges.set(folder, [...(edges.get(folder) ?? []), { from, to, source, target }]);
  }
  return [...edges].flatMap(([folder, inFolder]) =>
    findCycles(inFolder).map(members => ({
      folder,
      members,
      imports: inFolder
        .filter(({ source, target }) => members.includes(source) && members.includes(target))
        .map(({ from, to }) => ({ from, to })),
    })),
  );
}

/** Groups the nodes that can reach each other. */
function findCycles(edges: readonly { readonly source: string; readonly target: string }[]): string[][] {
  const targets = Map.groupBy(edges, ({ source }) => source);
  const reachable = new Map([...targets.keys()].map(source => [source, reach(source)] as const));
  const cycles: string[][] = [];
  for (const [node, others] of reachable) {
    if (!others.has(node) || cycles.some(members => members.includes(node))) continue;
    cycles.push([...others].filter(other => reachable.get(other)?.has(node)).toSorted());
  }
  return cycles;

  function reach(start: string): Set<string> {
    const found = new Set<string>();
    const waiting = [start];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      for (const { target } of targets.get(node) ?? []) {
        if (found.has(target)) continue;
        found.add(target);
        waiting.push(target);
      }
    }
    return found;
  }
}
