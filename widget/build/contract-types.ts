const contract = "'@connector-auth/api'";
const importPattern = new RegExp(String.raw`import (?:type )?\{([^}]*)\} from ${contract};`, 'g');

/** Returns the names that declarations import from the contract, sorted. */
export function contractNames(declarations: readonly string[]): string[] {
  const names = declarations.flatMap(text =>
    [...text.matchAll(importPattern)].flatMap(([, names = '']) =>
      names.split(',').map(name => name.trim().replace(/^type | as .*$/g, '')),
    ),
  );
  return [...new Set(names)].filter(name => name !== '').sort();
}

/**
 * Returns a module for the compiler, whose declarations contain each type without any other name in it. The
 * contract's own declarations infer them from schemas, which would make every user of the widget install Zod.
 */
export function expandTypes(names: readonly string[], contractPath: string): string {
  return `import type * as contract from '${contractPath}';
type Expand<T> = T extends object ? (T extends infer O ? { [K in keyof O]: Expand<O[K]> } : never) : T;
declare function expand<T>(): Expand<T>;
${names.map(name => `export const ${name} = expand<contract.${name}>();`).join('\n')}
`;
}

/**
 * Turns the declarations of `expandTypes` into types.
 * @throws Error if a type still refers to a name, which the widget's users could not resolve
 */
export function contractTypes(emitted: string): string {
  if (/\bimport\b|\bExpand</.test(emitted)) throw new Error(`A type was not expanded:\n${emitted}`);
  return emitted.replaceAll(/^export declare const (\w+): /gm, 'export type $1 = ');
}

/**
 * Replaces the contract by another module in the imports of a declaration.
 * @throws Error if the contract is used in any other way
 */
export function importFrom(declaration: string, module: string): string {
  const replaced = declaration.replaceAll(importPattern, text => text.replace(contract, `'${module}'`));
  if (replaced.includes(contract.slice(1, -1)))
    throw new Error(`The declaration refers to ${contract} other than by a plain import:\n${replaced}`);
  return replaced;
}
