import type { DestinationStream } from 'pino';

const maxDelayMs = 10;
/** Linux writes this number of bytes to a pipe at once, so that lines of processes which share one are not mixed. */
const maxBytes = 4096;

/**
 * Returns a stream that writes the lines of some milliseconds together, because a system call costs more than a line.
 * Writes the rest when the process exits, so only a process that is killed loses lines.
 */
export function writeTogether(destination: DestinationStream): DestinationStream {
  let waiting = '';
  let waitingBytes = 0;
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const text = waiting;
    waiting = '';
    waitingBytes = 0;
    if (text !== '') destination.write(text);
  };
  process.once('exit', flush);
  return {
    write: line => {
      const bytes = Buffer.byteLength(line);
      if (waitingBytes + bytes > maxBytes) flush();
      waiting += line;
      waitingBytes += bytes;
      timer ??= setTimeout(flush, maxDelayMs).unref();
    },
  };
}
