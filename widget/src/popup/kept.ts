/**
 * Takes what was kept under a key while the person was away at a consent in this window; null unless they come back with
 * an answer in the address.
 */
export function takeKept(key: string): string | null {
  try {
    const kept = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    return /[?&](secret_id|error)=./.test(location.search) ? kept : null;
  } catch {
    // No storage in this page.
    return null;
  }
}
