import { ApiError, readProblem } from '../../api/api-error.ts';
import { urlOf, type Call } from '../../api/call.ts';

const mediaType = 'application/x-ndjson';
const linesPerRequest = 10_000;
const maxWaitSeconds = 60;

/**
 * Downloads all entries that match as one file. The pages are kept as blobs, which browsers store outside the memory of
 * the page if they are large.
 * @param onProgress receives the number of bytes so far
 */
export async function downloadExport(
  call: Call,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const pages: Blob[] = [];
  let bytes = 0;
  let cursor: string | null = null;
  do {
    const response = await request(
      call,
      { ...query, cursor: cursor ?? undefined, limit: linesPerRequest },
      signal,
    );
    const page = await response.blob();
    const next = response.headers.get('X-Next-Cursor');
    pages.push(page);
    bytes += page.size;
    onProgress(bytes);
    cursor = page.size === 0 || next === cursor ? null : next;
  } while (cursor !== null);
  save(new Blob(pages, { type: mediaType }), `audit-${new Date().toISOString().slice(0, 10)}.ndjson`);
}

async function request(
  call: Call,
  query: Readonly<Record<string, string | number | undefined>>,
  signal: AbortSignal,
): Promise<Response> {
  const url = urlOf('exportAudit', { query });
  for (;;) {
    const response = await fetch(url, { headers: { Accept: mediaType }, cache: 'no-store', signal }).catch(
      () => {
        throw new ApiError('unreachable', 'The export stopped: can’t reach the service. Try again.', 503);
      },
    );
    if (response.ok) return response;
    // A call through the client asks to sign in again and resolves after that.
    if (response.status === 401) await call('getOverview', { signal });
    else if (response.status === 429) await wait(Number(response.headers.get('Retry-After')) || 1, signal);
    else throw await readProblem(response);
  }
}

async function wait(seconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    setTimeout(resolve, Math.min(seconds, maxWaitSeconds) * 1000);
  });
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has taken over the file by the next task.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
