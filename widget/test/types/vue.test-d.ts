/** Compiled, never run: what Vue templates accept, and what does not compile. */
import '../../src/types/vue.ts';
import type { GlobalComponents } from 'vue';

type Props = InstanceType<GlobalComponents['connector-auth']>['$props'];

export const compiles: Props[] = [
  { tokenUrl: '/connector-auth/widget-token', theme: 'dark', modal: true, class: 'connect' },
  {
    icons: { gong: '/logos/gong.svg' },
    onConnectorAuthRequest: event => event.detail.query satisfies string,
  },
  { source: 'granola', onConnectorAuthConnected: event => event.detail.connector.id satisfies string },
];

export const doesNotCompile: Props[] = [
  // @ts-expect-error there is no such theme
  { theme: 'blue' },
  // @ts-expect-error the event has no such detail
  { onConnectorAuthConnected: event => event.detail.connector.token },
];

export const provider: InstanceType<GlobalComponents['connector-auth-provider']>['$props'] = {
  tokenUrl: '/connector-auth/widget-token',
  // @ts-expect-error only a widget has a theme
  theme: 'dark',
};
