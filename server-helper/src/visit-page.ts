import { createHash } from 'node:crypto';
import {
  chooseLanguage,
  directionOf,
  problemCodeHeader,
  type ConnectorAuthError,
  type ProblemCode,
} from '@connector-auth/api';
import { messages } from './messages/index.ts';
import type { Obstacle } from './messages/messages.ts';
import type { PageRequest, PageResponse } from './page.ts';
import { headersOfError } from './problems.ts';
import { visits, type VisitRoute } from './visit.ts';

type Obstacles = Readonly<Partial<Record<ProblemCode, Obstacle>>>;

/** The errors that a person can do something about. All others are `failed`. */
const obstacles: Readonly<Record<VisitRoute, Obstacles>> = {
  'connect-link': {
    link_not_found: 'over',
    link_used: 'over',
    link_expired: 'over',
    link_revoked: 'over',
    link_code_invalid: 'late',
    not_signed_in: 'signedOut',
    customer_not_allowed: 'otherAccount',
    malformed_request: 'incomplete',
    origin_not_allowed: 'framed',
  },
  'agent-sign-in': { sign_in_invalid: 'late', not_signed_in: 'signedOut' },
};

/** What the same browser can continue after. */
const passing: readonly Obstacle[] = ['failed', 'late', 'signedOut'];

/** Returns the page that says why a connect link or a sign-in did not continue. */
export function visitPage(
  route: VisitRoute,
  problem: ConnectorAuthError,
  request: PageRequest,
  serviceUrl: string,
): PageResponse {
  const language = chooseLanguage(request.headers.get('accept-language'));
  const obstacle = obstacles[route][problem.code] ?? 'failed';
  const { tryAgain, [obstacle]: message } = messages[language];
  const { title, text } = message;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    'content-security-policy': `default-src 'none'; style-src 'sha256-${sha256(style)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    [problemCodeHeader.toLowerCase()]: problem.code,
    ...headersOfError(problem),
  };
  // This browser has already opened the page of the service.
  const { parameter, id, page } = visits[route];
  const visited = id.safeParse(new URL(request.url).searchParams.get(parameter));
  const again =
    passing.includes(obstacle) && visited.success
      ? `<a href="${escape(`${serviceUrl}${page}${visited.data}`)}">${escape(tryAgain)}</a>`
      : '';
  const html = `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escape(title)}</h1>
<p>${escape(text)}</p>
${again}
</main>
</body>
</html>
`;
  return { status: problem.status, headers, body: html, problem };
}

/** In the colours of the service's pages, which come before and after. */
const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { display: grid; min-block-size: 100vh; margin: 0; place-items: center; background: light-dark(#eef0f6, #0d0f13); }
main { max-inline-size: 22rem; margin: 1rem; padding: 2rem; border-radius: 1rem; background: light-dark(#fff, #15171c); text-align: center; }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.3; }
a { display: block; padding: .75rem; border-radius: .75rem; background: CanvasText; color: Canvas; font-weight: 600; text-decoration: none; }
a:focus-visible { outline: 3px solid; outline-offset: 3px; }
`;

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
