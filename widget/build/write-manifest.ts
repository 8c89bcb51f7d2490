/** Writes the custom elements manifest and the completion data of editors into `dist`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { cssData, htmlData, webTypes } from './editor-data.ts';
import { manifestOf, readElement } from './manifest.ts';

const element = readElement();
const files = {
  'custom-elements.json': manifestOf(element),
  'html-custom-data.json': htmlData(element),
  'css-custom-data.json': cssData(element),
  'web-types.json': webTypes(element, packageJson),
};
for (const [name, content] of Object.entries(files)) {
  writeFileSync(join(import.meta.dirname, '../dist', name), `${JSON.stringify(content, null, 2)}\n`);
}
