/** Checks imports against the rules in `layer-rules.ts`, and rejects import cycles between folders. */
import { cruise } from 'dependency-cruiser';
import { findFolderCycles } from './folder-cycles.ts';
import { folders, forbidden, options } from './layer-rules.ts';
import { root } from './steps.ts';

/** The maximum number of imports shown for a cycle between folders. */
const maxImports = 40;

process.chdir(root);
const { output } = await cruise(folders, { ...options, validate: true, ruleSet: { forbidden } });
if (typeof output === 'string') throw new Error(output);

const imports = output.modules.flatMap(({ source, dependencies }) =>
  dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
);
const errors = [
  ...output.summary.violations.map(({ rule, from, to, cycle }) =>
    [`${rule.name}: ${from}`, ...(cycle?.map(({ name }) => name) ?? [to])].join('\n    → '),
  ),
  ...findFolderCycles(imports.filter(({ to }) => !to.includes('node_modules/')))
    // dependency-cruiser already reports cycles that involve only files.
    .filter(({ members }) => members.some(name => !name.includes('.')))
    .map(({ folder, members, imports }) =>
      [
        `no-folder-cycles: in ${folder}: ${members.join(', ')}`,
        ...imports.slice(0, maxImports).map(({ from, to }) => `${from} → ${to}`),
      ].join('\n    '),
    ),
];
for (const error of errors) process.stdout.write(`error ${error}\n`);
process.stdout.write(`${output.modules.length} files, ${imports.length} imports, ${errors.length} errors\n`);
process.exitCode = errors.length > 0 || imports.length === 0 ? 1 : 0;
