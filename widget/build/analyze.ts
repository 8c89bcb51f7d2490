import * as analyzer from '@custom-elements-manifest/analyzer';
// @ts-expect-error -- this file of theirs comes without declarations
import * as lit from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js';

export interface Described {
  readonly name: string;
  readonly description?: string;
}
export interface Member extends Described {
  readonly kind: 'field' | 'method';
  readonly privacy?: 'public' | 'protected' | 'private';
}
export interface Attribute extends Described {
  readonly fieldName: string;
  readonly type?: { readonly text: string };
}
export interface Declaration extends Described {
  readonly kind: string;
  readonly members?: readonly Member[];
  readonly attributes?: readonly Attribute[];
}

/** What the analyzer's declarations leave out of its main file. */
interface Analyzer {
  readonly ts: {
    createSourceFile(name: string, text: string, target: number, setParentNodes: boolean): object;
    readonly ScriptTarget: { readonly ESNext: number };
  };
  create(options: { modules: readonly object[]; plugins: readonly object[] }): {
    readonly modules: readonly { readonly declarations: readonly Declaration[] }[];
  };
}

/** What a module declares, in the words of the custom elements manifest. */
export function analyze(path: string, text: string): readonly Declaration[] {
  // Both are as its documentation has them.
  const { ts, create } = analyzer as unknown as Analyzer;
  const { litPlugin } = lit as { litPlugin: () => readonly object[] };
  const modules = [ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)];
  return create({ modules, plugins: litPlugin() }).modules[0]?.declarations ?? [];
}
