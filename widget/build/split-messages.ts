/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const src = join(import.meta.dirname, '../src');
const english = join(src, 'messages/en.ts');
const stepsQuery = '?steps';

/**
 * Moves the English messages that the first view does not use into the file of the steps. Their names remain,
 * because the files of the other languages and the check of an integrator's messages need them.
 */
export function splitMessages(): Plugin {
  // The elements of a provider can be shown without the steps.
  const used = messagesUsedBy(['connector-auth.ts', 'lit/index.ts'].map(path => join(src, path)));
  return {
    name: 'split-messages',
    enforce: 'post',
    apply: 'build',
    resolveId: {
      order: 'pre',
      handler: (source, importer) =>
        source === './en.ts' && importer?.endsWith('/step-messages.ts') ? english + stepsQuery : null,
    },
    transform(code, id) {
      const isSteps = id === english + stepsQuery;
      if (id !== english && !isSteps) return null;
      const exported = this.parse(code).body.find(node => node.type === 'ExportNamedDeclaration');
      const declaration = exported?.declaration;
      const value =
        declaration?.type === 'VariableDeclaration' ? declaration.declarations[0]?.init : undefined;
      if (value?.type !== 'ObjectExpression') return this.error(`${id} does not export one object`);
      const properties = value.properties.flatMap(property => {
        if (property.type !== 'Property' || property.key.type !== 'Identifier') {
          return this.error(`${id} has a property that is not a plain property`);
        }
        const text = code.slice(property.start, property.end);
        const { name } = property.key;
        if (used.has(name)) return isSteps ? [] : [text];
        if (isSteps) return [text];
        // The type of a message is needed to check an integrator's messages.
        return [`${name}:${property.value.type === 'Literal' ? "''" : 'later'}`];
      });
      const later = isSteps ? '' : 'const later = () => "";';
      return {
        code: `${later}${code.slice(0, value.start)}{${properties.join()}}${code.slice(value.end)}`,
        map: null,
      };
    },
  };
}

/** Returns the names of the messages that modules and their static imports use. */
function messagesUsedBy(files: string[]): ReadonlySet<string> {
  const names = new Set(['language', 'direction']);
  // The list grows while it is iterated.
  for (const file of files) {
    if (!file.endsWith('.ts')) continue;
    const code = readFileSync(file, 'utf8');
    if (/\bmessages\[/.test(code)) throw new Error(`${file} computes the name of a message`);
    for (const [, name = ''] of code.matchAll(/\bmessages\s*\.(\w+)/g)) names.add(name);
    for (const [, path = ''] of code.matchAll(/^(?:import|export) (?!type)[^;]*?from '(\.[^']+)';/gm)) {
      const imported = join(dirname(file), path);
      if (!files.includes(imported)) files.push(imported);
    }
  }
  return names;
}
