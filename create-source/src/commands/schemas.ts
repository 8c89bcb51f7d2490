import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { schemasOf } from '../schemas.ts';
import type { Command } from './command.ts';

/** Prints Zod schemas of an OpenAPI document. */
export const schemas: Command = {
  usage: 'schemas <file> --paths <paths>',
  summary: 'Print Zod schemas of responses and requests in an OpenAPI document, in JSON or YAML',
  options: { paths: { type: 'string', description: 'Paths of the document, separated by commas' } },
  run: async ({ positionals: [file = ''], options, directory, print }) => {
    const paths = String(options['paths'] ?? '')
      .split(',')
      .flatMap(path => path.trim() || []);
    if (paths.length === 0) throw new Error('Name the paths, such as --paths /contacts,/deals');
    // YAML contains JSON.
    const document = parse(await readFile(resolve(directory, file), 'utf8')) as Readonly<
      Record<string, unknown>
    >;
    const written = schemasOf(document, paths);
    if (written.length === 0)
      throw new Error('The document has no JSON schemas for these paths. It must be OpenAPI 3');
    const usesInteger = written.some(({ source }) => /\binteger\b/.test(source));
    print(
      [
        ...(usesInteger ? ["import { integer } from '@connector-auth/connectors/rest';"] : []),
        "import { z } from 'zod';",
        ...written.map(({ name, source }) => `\nexport const ${name} = ${source};`),
      ].join('\n'),
    );
    return 0;
  },
};
