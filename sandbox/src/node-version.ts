/** The oldest Node version that the packages for servers support, as in their `engines`. */
const oldest = { major: 22, minor: 19 };

/**
 * Returns what to do if the running Node version is too old, otherwise null. Runtimes that do not report a Node
 * version are not checked.
 */
export function explainOldNode(
  running = (globalThis as { process?: NodeJS.Process }).process?.versions?.node,
): string | null {
  if (running === undefined) return null;
  const [major = 0, minor = 0] = running.split('.').map(Number);
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return null;
  return (
    `Connector Auth needs Node ${oldest.major}.${oldest.minor} or newer, but Node ${running} is running. ` +
    'Install a newer version, for example from https://nodejs.org.'
  );
}
