import { existsSync } from 'node:fs';
import { findChromium, headlessShell } from './chromium.ts';
import { runStep, type Step, type StepResult } from './steps.ts';

const timeouts = ['-o', 'Acquire::http::Timeout=10', '-o', 'Acquire::Retries=0'];
const debian: Step[] = [
  { name: 'list Debian packages', command: ['apt-get', ...timeouts, 'update', '-qq'] },
  {
    name: 'install Chromium (Debian)',
    command: ['apt-get', ...timeouts, 'install', '-y', '-qq', 'chromium-headless-shell'],
  },
];
const download: Step = {
  name: 'install Chromium (Playwright)',
  command: ['playwright', 'install', 'chromium'],
};

const isRootOnDebian = process.getuid?.() === 0 && existsSync('/etc/debian_version');
const isShellMissing = isRootOnDebian && !process.env['CHROMIUM_PATH'] && !existsSync(headlessShell);

/**
 * Installs Chromium if the system has none: Debian's package if possible, otherwise Playwright's download. Where it may, it
 * also installs the faster Chromium of Debian beside another one. If nothing can be installed, the output lists the attempts.
 */
export async function ensureChromium(): Promise<StepResult> {
  const startedAt = performance.now();
  const result = (ok: boolean, output = ''): StepResult => {
    process.stderr.write(output);
    return { name: 'Chromium', ok, seconds: (performance.now() - startedAt) / 1000, output };
  };
  if (isShellMissing) for (const step of debian) await runStep(step);
  if (findChromium() !== null) return result(true);
  await runStep(download);
  if (findChromium() !== null) return result(true);
  const tried = [...(isShellMissing ? debian : []), download].map(
    ({ command }) => `  ${command.join(' ')}\n`,
  );
  return result(
    false,
    `Error: no Chromium was found, and installing one failed. Tried:\n${tried.join('')}` +
      'Install Chromium yourself, or set CHROMIUM_PATH to its path.\n',
  );
}
