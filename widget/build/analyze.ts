import * as analyzer from '@custom-elements-manifest/analyzer';

export interface Described {
  readonly name: string;
  readonly description?: string;
}
export interface Member extends Described {
  readonly kind: 'field' | 'method';
  readonly privacy?: 'public' | 'protected' | 'private';
  readonly type?: { readonly text: string };
}
export interface Declaration extends Described {
  readonly kind: string;
  readonly members?: readonly Member[];
  readonly slots?: readonly Described[];
  readonly cssParts?: readonly Described[];
  readonly cssProperties?: readonly Described[];
}
/** An interface member with its doc comment and its type as written in the source. */
export interface InterfaceMember extends Described {
  readonly type: { readonly text: string };
}

interface Node {
  readonly name?: { readonly text: string };
  readonly members?: readonly Node[];
  readonly type?: Node;
  readonly jsDoc?: readonly { readonly comment?: string }[];
  getText(): string;
}

/** Types that the analyzer's own declarations omit. */
interface Analyzer {
  readonly ts: {
    createSourceFile(
      name: string,
      text: string,
      target: number,
      setParentNodes: boolean,
    ): { readonly statements: readonly Node[] };
    readonly ScriptTarget: { readonly ESNext: number };
  };
  create(options: { modules: readonly object[] }): {
    readonly modules: readonly { readonly declarations: readonly Declaration[] }[];
  };
}

// The analyzer's documentation describes these exports.
const { ts, create } = analyzer as unknown as Analyzer;

/** Returns the declarations of a module in the format of the custom elements manifest. */
export function readDeclarations(path: string, text: string): readonly Declaration[] {
  return create({ modules: [parse(path, text)] }).modules[0]?.declarations ?? [];
}

/** Returns the members of an interface in source order. */
export function readInterface(path: string, text: string, name: string): readonly InterfaceMember[] {
  const found = parse(path, text).statements.find(node => node.name?.text === name && node.members);
  if (found === undefined) throw new Error(`${path} declares no interface ${name}`);
  return (found.members ?? []).map(({ name, type, jsDoc }) => ({
    name: name?.text ?? '',
    description: jsDoc?.at(-1)?.comment ?? '',
    type: { text: type?.getText() ?? '' },
  }));
}

function parse(path: string, text: string) {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
}
