import { z } from 'zod';
import type { ConnectLinks } from './source-gateway.ts';
import { defineTool, UrlRequest, type ToolOutput } from './tool.ts';

export const connect = defineTool({
  name: 'connect',
  title: 'Connect a source',
  description:
    'Makes a link with which the user connects a source in their browser, or reconnects one. Never ask for keys or passwords in the chat. Then call list_sources.',
  input: z.strictObject({
    source: z.string().min(1).max(100).optional().meta({ description: 'Omit it to let the user choose' }),
    connector_id: z.string().min(1).max(100).optional().meta({ description: 'The connection to reconnect' }),
  }),
  output: z.looseObject({
    status: z.string(),
    url: z.string().nullable(),
    connector_id: z.string().nullable(),
    next: z.string(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  run: async (target, { sources, urls }) => {
    const { links } = sources;
    if (links === null) throw new Error('This tool needs connect links');
    if (urls.decision !== null) return afterDecision(links, urls.decision);
    const name = target.source === undefined ? 'a source' : sources.requireKind(target.source).name;
    if (urls.opens === 'then_repeats') {
      const connectorId = await links.justConnected(target);
      if (connectorId !== null) return connected(connectorId);
    }
    const { id, url, expires_at } = await links.create(target);
    if (urls.opens === 'never')
      return { status: 'link', url, expires_at, connector_id: null, next: showLink };
    const message = `Connect ${name} in your browser. What you enter there does not pass through this chat.`;
    return new UrlRequest({ id, url, message });
  },
});

const showLink =
  'Give the user this link, unchanged. They open it in the browser in which they are signed in to their account. Once they say that they are done, call list_sources.';

const nextSteps = {
  waiting: 'Once the user says that they are done, call list_sources.',
  declined: 'The user did not want to open the link. Continue without it.',
  revoked: 'Someone cancelled the link. Call connect again only if the user asks for it.',
  expired: 'Call connect again only if the user asks for it.',
} as const;

/** Waits a while for the user to finish, so that the agent can continue at once. */
async function afterDecision(
  links: ConnectLinks,
  { id, isAccepted }: { readonly id: string; readonly isAccepted: boolean },
): Promise<ToolOutput> {
  if (!isAccepted) {
    await links.revoke(id);
    return notConnected('declined');
  }
  const { status, connector_id: connectorId } = await links.waitFor(id);
  switch (status) {
    case 'used':
      return connected(connectorId);
    case 'open':
    case 'confirmed':
      return notConnected('waiting');
    case 'revoked':
    case 'expired':
      return notConnected(status);
  }
}

function connected(connectorId: string | null): ToolOutput {
  return {
    status: 'connected',
    url: null,
    connector_id: connectorId,
    next: 'Call list_sources. Until the first sync is done, use read instead of search.',
  };
}

function notConnected(status: keyof typeof nextSteps): ToolOutput {
  return { status, url: null, connector_id: null, next: nextSteps[status] };
}
