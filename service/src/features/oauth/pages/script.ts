/** The script on the other pages that end a consent: only a window of its own can be closed, a tab is not one. */
export const endScript = `document.querySelector('.close').hidden = !window.opener && window.toolbar.visible;`;

/**
 * The script on the completion page. Posts the session id and status to the opener on its known origin only,
 * removes the query from the URL, and closes the window. The opener then requests the outcome from the
 * service.
 */
export const script = `${endScript}
{
  const { origin, session, status } = document.querySelector('main').dataset;
  if (window.opener && origin && session)
    window.opener.postMessage({ type: 'connector-auth:oauth', session_id: session, status }, origin);
  history.replaceState(null, '', location.pathname);
  window.close();
}`;
