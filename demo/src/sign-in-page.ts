import { demoCustomers } from './customers.ts';

/**
 * Returns the page on which people sign in who come from a connect link. A real product has its own.
 * @param next the path to return to, see {@link pathOnThisHost}.
 */
export function signInPage(next: string): string {
  const choices = demoCustomers.map(
    ({ id, company, person }) =>
      `<button class="button" name="customer" value="${id}">${person} · ${company}</button>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Sign in to Fieldbook</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/style.css" />
  </head>
  <body>
    <form class="empty" method="post" action="/sign-in?next=${encodeURIComponent(next)}">
      <h1>Sign in to Fieldbook</h1>
      <p class="quiet">This is a demo, so there are no passwords.</p>
      ${choices.join('\n      ')}
    </form>
  </body>
</html>
`;
}

/** Returns a query parameter if it is a path on this host, and the start page otherwise. */
export function pathOnThisHost(next: unknown): string {
  const host = 'http://localhost';
  if (typeof next !== 'string' || !URL.canParse(next, host)) return '/';
  const { origin, pathname, search, hash } = new URL(next, host);
  // Browsers take two leading slashes for the start of a host name.
  return origin === host ? `${pathname.replace(/^\/+/, '/')}${search}${hash}` : '/';
}
