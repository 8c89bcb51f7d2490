import { problemCodes, problems, type ProblemCode } from '@connector-auth/api';
import { html, prose, type Html } from '../../../shared/http/html.ts';
import { errorAdvice } from '../error-advice.ts';
import { heading } from '../parts.ts';

/** Renders every error code with what to do about it, grouped by status. */
export function errorCodes(): Html {
  const groups = [...Map.groupBy(problemCodes, code => problems[code].status)].toSorted(([a], [b]) => a - b);
  return html`${groups.map(
    ([status, codes]) =>
      html`${heading(3, `status-${status}`, `${status} ${statusNames[status] ?? ''}`)}
        <dl class="errors">${codes.map(errorEntry)}</dl>`,
  )}`;
}

function errorEntry(code: ProblemCode): Html {
  return html`<div id="${code}">
    <dt><code>${code}</code> <span class="type">${problems[code].title}</span></dt>
    <dd>${prose(errorAdvice[code])}</dd>
  </div>`;
}

const statusNames: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Content too large',
  415: 'Unsupported media type',
  422: 'Unprocessable content',
  424: 'Failed dependency',
  429: 'Too many requests',
  499: 'Cancelled (only reported by the client)',
  500: 'Internal error',
  502: 'Bad gateway',
  503: 'Unavailable',
  504: 'Timeout',
};
