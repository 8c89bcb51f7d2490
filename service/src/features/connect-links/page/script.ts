/**
 * The script of every page of a link. Removes the fragment from the address, which history and extensions can read, and
 * sends its secret or code to the service. The service then knows the browser by its cookie, and the page reloads.
 */
export const script = `{
  const { path, view } = document.querySelector('[data-view]').dataset;
  const fragment = location.hash.slice(1);
  if (fragment) history.replaceState(null, '', location.pathname + location.search);

  const obstacles = {
    link_not_found: 'unknown',
    link_expired: 'expired',
    link_revoked: 'revoked',
    link_used: 'used',
    link_code_invalid: 'elsewhere',
    rate_limited: 'busy',
  };
  const show = name => {
    for (const part of document.querySelectorAll('[data-part]')) part.hidden = part.dataset.part !== name;
  };
  const reload = () => location.reload();
  const send = async (action, body) => {
    show('working');
    try {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(path + '/' + action, { method: 'POST', headers, body: JSON.stringify(body) });
      if (response.ok) reload();
      else show(obstacles[(await response.json()).code] ?? 'failed');
    } catch {
      show('failed');
    }
  };

  // The person's own clock says more than a number of hours.
  const limit = document.querySelector('[data-expires]');
  if (limit) {
    const at = new Date(limit.dataset.expires);
    const day = at.toDateString() === new Date().toDateString() ? {} : { weekday: 'long' };
    const format = new Intl.DateTimeFormat(document.documentElement.lang, { ...day, hour: 'numeric', minute: '2-digit' });
    limit.querySelector('bdi').append(' (' + format.format(at) + ')');
  }

  const start = () => {
    if (!navigator.cookieEnabled) show('needs');
    else if (fragment.startsWith('return=')) void send('return', { code: fragment.slice(7) });
    else if (view !== 'opening') return;
    else if (fragment) void send('open', { secret: fragment });
    else show('incomplete');
  };
  start();

  addEventListener('click', event => {
    if (!fragment || !event.target.closest('[data-retry]')) return;
    event.preventDefault();
    start();
  });
  // The link is used up, and the widget shows the import until the person continues.
  let isConnected = false;
  addEventListener('connector-auth-step', ({ detail }) => {
    if (isConnected && detail.step !== 'connected') reload();
    isConnected = detail.step === 'connected';
  });
  // The link was used in another tab or browser, or it ended. What was typed here was not stored.
  addEventListener('connector-auth-error', ({ detail }) => {
    if (!detail.code.startsWith('link_')) return;
    if (isConnected) reload();
    else show(obstacles[detail.code]);
  });
}`;
