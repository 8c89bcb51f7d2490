/**
 * The script of the completion page: posts the session id and status to the opener, on its known origin
 * only; removes the query from the address; closes the window. The opener gets the outcome itself from the
 * service.
 */
export const script = `{
  const { origin, session, status } = document.querySelector('main').dataset;
  if (window.opener && origin && session)
    window.opener.postMessage({ type: 'connector-auth:oauth', session_id: session, status }, origin);
  history.replaceState(null, '', location.pathname);
  window.close();
}`;
