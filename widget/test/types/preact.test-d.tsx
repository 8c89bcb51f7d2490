/**
 * Compiled, never run: what JSX accepts, and what does not compile.
 * @jsxImportSource preact
 */
import '../../src/types/preact.ts';

export const compiles = [
  <connector-auth token-url="/connector-auth/widget-token" theme="dark" modal />,
  <connector-auth
    class="connect"
    getToken={() =>
      Promise.resolve({ token: 't', expires_in: 60, service_url: 'https://connect.example.com' })
    }
    source="granola"
    requests
    icons={{ gong: '/logos/gong.svg' }}
    onconnector-auth-request={event => event.detail.query satisfies string}
    onconnector-auth-connected={event => event.detail.connector.id satisfies string}
  />,
  <connector-auth-provider
    token-url="/connector-auth/widget-token"
    onconnector-auth-connected={event => {
      event.currentTarget.reload();
    }}
  >
    <connector-auth-button source="gong" />
    <connector-auth-status source="gong" />
  </connector-auth-provider>,
];

export const doesNotCompile = [
  // @ts-expect-error there is no such theme
  <connector-auth token-url="/connector-auth/widget-token" theme="blue" />,
  // @ts-expect-error an attribute is in kebab case
  <connector-auth tokenUrl="/connector-auth/widget-token" />,
  // @ts-expect-error the event has no such detail
  <connector-auth onconnector-auth-connected={event => event.detail.connector.token} />,
  // @ts-expect-error only a widget has a theme
  <connector-auth-provider theme="dark" />,
];
