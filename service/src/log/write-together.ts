import type { DestinationStream } from 'pino';

const maxDelayMs = 10;
const maxLength = 64 * 1024;

/**
 * Returns a stream that writes the lines of some milliseconds together, because a system call costs more than a line.
 * Writes the rest when the process exits, so only a process that is killed loses lines.
 */
export function writeTogether(destination: DestinationStream): DestinationStream {
  let waiting = '';
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const text = waiting;
    waiting = '';
    if (text !== '') destination.write(text);
  };
  process.once('exit', flush);
  return {
    write: line => {
      waiting += line;
      if (waiting.length >= maxLength) flush();
      else timer ??= setTimeout(flush, maxDelayMs).unref();
    },
  };
}
