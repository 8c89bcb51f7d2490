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
  { path: '/keys', tag: 'console-keys' },
  { path: '/keys/new', tag: 'console-new-key' },
];
