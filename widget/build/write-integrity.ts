/** Writes the integrity hashes of the built files to `dist/integrity.json` and prints the script tag. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const dist = join(import.meta.dirname, '../dist');
const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.js'));
const hashes = Object.fromEntries(
  files.sort().map(path => [
    path.replaceAll('\\', '/'),
    `sha384-${createHash('sha384')
      .update(readFileSync(join(dist, path)))
      .digest('base64')}`,
  ]),
);
writeFileSync(join(dist, 'integrity.json'), `${JSON.stringify(hashes, null, 2)}\n`);
process.stdout.write(
  `<script src="connector-auth.js" integrity="${hashes['connector-auth.js'] ?? ''}" crossorigin="anonymous" defer></script>\n`,
);
