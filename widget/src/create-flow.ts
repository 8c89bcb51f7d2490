import { FlowController, type FlowOptions } from './controller/flow-controller.ts';
import type { FlowSettings } from './properties.ts';
import { loadedSteps } from './screens/load-steps.ts';
import { connectService } from './service/service.ts';
import { cacheToken } from './service/widget-token.ts';
import { approveIcons, createTokenSource, parseList, usesRedirect } from './settings.ts';

interface OwnerOptions extends Pick<
  FlowOptions,
  'onChange' | 'loadSteps' | 'waitingPage' | 'pendingConsent'
> {
  readonly onIssue: (issue: string) => void;
  /** The sessionStorage key of the pending consent. */
  readonly key: string;
  /** Returns the language in which the service describes sources. */
  readonly language: () => string;
  /** Aborts token requests when the flow stops. */
  readonly signal: AbortSignal;
}

/** Creates the flow of a widget or a provider from its settings, which must be valid. */
export function createFlow(
  settings: FlowSettings,
  { key, language, signal, ...options }: OwnerOptions,
): FlowController {
  const { serviceUrl, sources, source, reconnect, oauthRedirectUrl } = settings;
  const { approved, rejected } = approveIcons(settings.icons);
  if (rejected.length) {
    options.onIssue(
      `icons of ${rejected.join(', ')} are ignored: use "data:image/…" or a URL of this page's origin, because another origin could change the image later`,
    );
  }
  return new FlowController({
    ...options,
    service: connectService(
      cacheToken({ getToken: createTokenSource(settings), serviceUrl, signal }),
      language,
    ),
    steps: loadedSteps,
    sources: parseList(sources),
    icons: approved,
    preselected: source,
    reconnect,
    redirect: usesRedirect(settings) ? { url: oauthRedirectUrl, key } : null,
  });
}
