/**
 * The script of every page of a link. Removes the fragment from the address, which history and extensions can read, and
 * sends its secret or code to the service. The service then knows the browser by its cookie, and the page reloads.
 */
export const script = `{
  const { path, view } = document.body.dataset;
  const fragment = location.hash.slice(1);
  if (fragment) history.replaceState(null, '', location.pathname + location.search);

  const show = name => {
    for (const part of document.querySelectorAll('[data-part]')) part.hidden = part.dataset.part !== name;
  };
  const reload = () => location.reload();
  const send = async (action, body) => {
    show('working');
    try {
      const headers = { 'content-type': 'application/json' };
      const { ok, status } = await fetch(path + '/' + action, { method: 'POST', headers, body: JSON.stringify(body) });
      if (ok) reload();
      else show(status === 429 ? 'busy' : status >= 500 ? 'failed' : action === 'return' ? 'elsewhere' : 'unknown');
    } catch {
      show('failed');
    }
  };

  const [, code] = /^return=(.*)/.exec(fragment) ?? [];
  const start = () => {
    if (!navigator.cookieEnabled) show('needs');
    else if (code) void send('return', { code });
    else if (view !== 'opening') return;
    else if (fragment) void send('open', { secret: fragment });
    else show('incomplete');
  };
  start();

  addEventListener('click', event => {
    if (!event.target.closest('[data-retry]') || !fragment) return;
    event.preventDefault();
    start();
  });
  addEventListener('connector-auth-connected', reload);
  addEventListener('connector-auth-reconnected', reload);
  // The link was used in another tab, or it ended.
  addEventListener('connector-auth-error', ({ detail }) => {
    if (detail.code.startsWith('link_')) reload();
  });
}`;
