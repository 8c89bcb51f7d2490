/** Writes the custom elements manifest and the editor data to `dist`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf, readElements } from './manifest.ts';

const widget = join(import.meta.dirname, '..');
const manifest = manifestOf(readElements());
writeFileSync(join(widget, 'dist/custom-elements.json'), `${JSON.stringify(manifest, null, 2)}\n`);
// The generators read the package.json of the working directory when they are imported.
process.chdir(widget);
const { writeEditorData } = await import('./editor-data.ts');
writeEditorData(manifest, join(widget, 'dist'));
