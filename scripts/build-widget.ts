/** Builds the widget: the ES module with its lazily loaded parts, and the one script-tag file. */
import { runStep } from './steps.ts';

const { ok } = await runStep({
  name: 'build of widget',
  command: ['vite', 'build', '--config', 'widget/vite.config.ts'],
});
process.exitCode = ok ? 0 : 1;
