/** A page of the console: its path below `/console` and the element that shows it. */
export interface Route {
  readonly path: string;
  readonly tag: string;
}

/** The pages by path. The first match counts. */
export const routes: readonly Route[] = [
  { path: '/', tag: 'console-overview' },
  { path: '/start', tag: 'console-first-connection' },
  { path: '/organizations', tag: 'console-organizations' },
  { path: '/organizations/new', tag: 'console-new-organization' },
  { path: '/organizations/:organization', tag: 'console-organization' },
  { path: '/organizations/:organization/oauth-apps/:kind', tag: 'console-oauth-app' },
  { path: '/applications', tag: 'console-applications' },
  { path: '/applications/new', tag: 'console-new-application' },
  { path: '/applications/:application', tag: 'console-application' },
  { path: '/customers', tag: 'console-customers' },
  { path: '/customers/:customer', tag: 'console-customer' },
  { path: '/connectors', tag: 'console-connectors' },
  { path: '/connectors/:connector', tag: 'console-connector' },
  { path: '/sync-jobs', tag: 'console-sync-jobs' },
  { path: '/vendor-quotas', tag: 'console-quotas' },
  { path: '/incidents', tag: 'console-incidents' },
  { path: '/incidents/new', tag: 'console-new-incident' },
  { path: '/incidents/:incident', tag: 'console-incident' },
  { path: '/audit', tag: 'console-audit' },
  { path: '/keys', tag: 'console-keys' },
  { path: '/keys/new', tag: 'console-new-key' },
  { path: '/sessions', tag: 'console-sessions' },
];
