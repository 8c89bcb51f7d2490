import { html } from 'lit';
import { backButton } from '../components/buttons.ts';
import { confirmDialog } from '../components/confirm-dialog.ts';
import { emptyState } from '../components/empty-state.ts';
import { icons } from '../components/icons.ts';
import { failureNotice } from '../components/notice.ts';
import { screenHead } from '../components/screen-head.ts';
import { sourceIcon } from '../components/source-icon.ts';
import { ticking } from '../components/ticking.ts';
import { timeSince, timeUntil } from '../messages/relative-time.ts';

/** What the code of the screen for apps and agents uses of the widget. It imports nothing, so that its file stands alone. */
export const agentTools = {
  html,
  backButton,
  confirmDialog,
  emptyState,
  failureNotice,
  icons,
  screenHead,
  sourceIcon,
  ticking,
  timeSince,
  timeUntil,
};
export type AgentTools = typeof agentTools;
