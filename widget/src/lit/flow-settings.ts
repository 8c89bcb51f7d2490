import type { FlowSettings } from '../properties.ts';

const isFlowSetting: Readonly<Record<keyof FlowSettings, true>> = {
  tokenUrl: true,
  getToken: true,
  serviceUrl: true,
  tokenCredentials: true,
  source: true,
  reconnect: true,
  sources: true,
  icons: true,
  oauthMode: true,
  oauthRedirectUrl: true,
};

/** The names of the settings that concern the flow. Inside a provider, only those of the provider apply. */
// The keys come from the record.
export const flowSettings = Object.keys(isFlowSetting) as readonly (keyof FlowSettings)[];
