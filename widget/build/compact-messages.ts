import type { Plugin } from 'vite';
import { en } from '../src/messages/en.ts';

/**
 * Writes language files as lists in the order of the English messages. Omitting the names makes the files a
 * quarter smaller. Fails the build if the order of a file differs.
 */
export function compactMessages(): Plugin {
  return {
    name: 'compact-messages',
    enforce: 'post',
    apply: 'build',
    transform(code, id) {
      if (!/\/messages\/(?!en)\w\w\.ts$/.test(id)) return null;
      const exported = this.parse(code).body.find(node => node.type === 'ExportNamedDeclaration');
      const declaration = exported?.declaration;
      const value =
        declaration?.type === 'VariableDeclaration' ? declaration.declarations[0]?.init : undefined;
      if (value?.type !== 'ObjectExpression') return this.error(`${id} does not export one object`);
      const sentences = value.properties.map(property => {
        if (property.type === 'Property' && property.key.type === 'Identifier') return property;
        return this.error(`${id} has a property that is not a plain property`);
      });
      // The compiler checks the message names, but not their order.
      const names = sentences.map(({ key }) => code.slice(key.start, key.end)).join();
      if (names !== Object.keys(en).join()) this.error(`${id} does not have the order of en.ts`);
      const list = sentences.map(sentence => code.slice(sentence.value.start, sentence.value.end));
      return { code: `${code.slice(0, value.start)}[${list.join()}]${code.slice(value.end)}`, map: null };
    },
  };
}
