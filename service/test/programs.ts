import { existsSync } from 'node:fs';

/** Throws an error that says what to install if programs of Debian's packages are missing. Takes their paths by package. */
export function requirePrograms(programs: Readonly<Record<string, string>>): void {
  const missing = Object.keys(programs).filter(name => !existsSync(programs[name] ?? ''));
  if (missing.length > 0) throw new Error(`Install the programs: apt-get install ${missing.join(' ')}`);
}
