import type { AuditEntry } from '@connector-auth/api/admin';
import type { TemplateResult } from 'lit';
import { badge } from '../../components/cell.ts';

const acronyms: Readonly<Record<string, string>> = { oauth: 'OAuth', id: 'ID', url: 'URL' };

/** Returns a code such as `oauth_app.deleted` as words: “OAuth app deleted”. */
export function wordsOf(code: string): string {
  const words = code
    .split(/[._]/)
    .filter(word => word !== '')
    .map(word => acronyms[word] ?? word)
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns what happened in an entry: “List calls” or “Connector created”. */
export function actionOf({ action, entity }: Pick<AuditEntry, 'action' | 'entity'>): string {
  const words = wordsOf(action);
  if (entity === null || entity === '*') return words;
  return `${words} ${entity.replaceAll('_', ' ')}`;
}

/** What an id in an entry belongs to. */
export interface NamedThing {
  readonly name: string;
  /** The page that shows it. */
  readonly path: string;
}

/** Returns what an entry changed, or null if it no longer exists or is what the whole entry is about. */
export function targetOf(entry: AuditEntry): NamedThing | null {
  const { action, target_id: id, target_name: name = null, customer_name, application_id } = entry;
  const [subject = ''] = action.split('.');
  if (id === null) return null;
  if (subject === 'customer' && customer_name !== null)
    return { name: customer_name, path: `/customers/${id}` };
  if (name === null || id === entry.organization_id) return null;
  if (subject === 'client_secret')
    return { name: `Secret of ${name}`, path: `/applications/${application_id}` };
  return { name, path: subject === 'admin_key' ? '/keys' : `/${subject}s/${id}` };
}

/** Returns who did it. */
export function actorOf({ type, name, id }: AuditEntry['actor']): string {
  switch (type) {
    case 'application':
      return name ?? `Application ${id ?? ''}`.trim();
    case 'admin_key':
      return name ?? `Admin key ${id ?? ''}`.trim();
    case 'customer_token':
      return 'Customer';
    case 'agent':
      return name ?? 'Agent';
    case 'sync':
      return 'Sync';
    case 'service':
      return 'Service';
  }
}

/** The types of actors with their labels. */
export const actorTypes: Readonly<Record<AuditEntry['actor']['type'], string>> = {
  application: 'Application',
  admin_key: 'Admin key',
  customer_token: 'Customer’s token',
  agent: 'Agent',
  sync: 'Sync',
  service: 'Service',
};

/** Renders whether it succeeded. */
export function outcomeBadge(outcome: string): TemplateResult {
  return outcome === 'ok' ? badge('OK', 'good') : badge(wordsOf(outcome), 'bad');
}
