import { run } from './processes.ts';

/** Builds the widget's files once, for the pages that load them as an integrator would. */
export default async function buildWidget(): Promise<void> {
  const build = run(['scripts/run.mjs', 'build-widget']);
  const [code] = await new Promise<[number | null]>(resolve =>
    build.process.once('exit', code => resolve([code])),
  );
  if (code !== 0) throw new Error(`The widget did not build:\n${build.output()}`);
}
