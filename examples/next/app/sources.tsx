'use client';

import { ConnectorAuth } from '@connector-auth/widget/react';
import { useRouter } from 'next/navigation';

/** The widget. After a change, the server renders the page again. */
export function Sources() {
  const router = useRouter();
  const refresh = () => router.refresh();
  return (
    <ConnectorAuth tokenUrl="/connector-auth/widget-token" onConnected={refresh} onDisconnected={refresh} />
  );
}
