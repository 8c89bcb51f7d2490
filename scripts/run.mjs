// Runs a script of this folder on the project's own Node version: `node scripts/run.mjs test`.
// Plain JavaScript, so that an older Node can read it and report the error.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `This needs Node 24, and Node ${process.versions.node} is running.\n` +
      'The project brings its own: the npm package “node”, whose install step puts it into node_modules/.bin.\n' +
      'Start the commands through pnpm (npx -y pnpm@12 test). If you did, installing failed: its message is above.\n' +
      'If there is none, the install step did not run: see `allowBuilds` in pnpm-workspace.yaml, delete node_modules,\n' +
      'and start again.',
  );
  process.exit(1);
}
await import(`./${process.argv[2]}.ts`);
