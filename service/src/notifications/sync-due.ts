import type { Listener, Signals } from './notifications.ts';

/** Signalled when something is due that was not: whoever has a free turn looks. */
const topic = 'sync';

/** Tells every process that something is due. Lost, it only makes them find out some seconds later. */
export function announceDue(signals: Signals): Promise<void> {
  return signals.send(topic);
}

/** Listens for what {@link announceDue} tells. */
export function listenForDue(signals: Signals): Listener {
  return signals.listen(topic);
}
