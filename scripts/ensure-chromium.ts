import { existsSync } from 'node:fs';
import { findChromium } from './chromium.ts';
import { runStep, type Step, type StepResult } from './steps.ts';

/**
 * Installs Chromium if the system has none. Tries Debian's package if possible, then Playwright's download.
 * If both fail, the output lists the attempts.
 */
export async function ensureChromium(): Promise<StepResult> {
  const startedAt = performance.now();
  const result = (ok: boolean, output = ''): StepResult => {
    process.stderr.write(output);
    return { name: 'Chromium', ok, seconds: (performance.now() - startedAt) / 1000, output };
  };
  if (findChromium() !== null) return result(true);
  const tried: string[] = [];
  for (const step of waysToInstall()) {
    tried.push(step.command.join(' '));
    await runStep(step);
    if (findChromium() !== null) return result(true);
  }
  return result(
    false,
    `Error: no Chromium was found, and installing one failed. Tried:\n${tried.map(line => `  ${line}\n`).join('')}` +
      'Install Chromium yourself, or set CHROMIUM_PATH to its path.\n',
  );
}

function waysToInstall(): Step[] {
  const isRootOnDebian = process.getuid?.() === 0 && existsSync('/etc/debian_version');
  const debian: Step[] = [
    { name: 'list Debian packages', command: ['apt-get', 'update', '-qq'] },
    { name: 'install Chromium (Debian)', command: ['apt-get', 'install', '-y', '-qq', 'chromium'] },
  ];
  const download: Step = {
    name: 'install Chromium (Playwright)',
    command: ['playwright', 'install', 'chromium'],
  };
  return [...(isRootOnDebian ? debian : []), download];
}
