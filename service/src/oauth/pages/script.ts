/**
 * The one script of the pages, at the end of a consent: tells the page that opened this window, and no other, that the consent is
 * over; takes the query out of the address; closes the window. What came of it the opener asks the service.
 */
export const script = `{
  const { origin, session, status } = document.querySelector('main').dataset;
  if (window.opener && origin && session)
    window.opener.postMessage({ type: 'connector-auth:oauth', session_id: session, status }, origin);
  history.replaceState(null, '', location.pathname);
  window.close();
}`;
