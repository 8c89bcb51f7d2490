import type { Kind } from '@connector-auth/connectors/kind';
import { createPlayer } from './player.ts';
import type { RecordedCall, Recording } from './recording.ts';
import { nameOf, Unproven, type Check, type CheckContext, type Finding } from './suite/check.ts';
import { credentialChecks } from './suite/credentials.ts';
import { recordChecks } from './suite/records.ts';
import { responseChecks } from './suite/responses.ts';
import { syncChecks } from './suite/sync.ts';

const checks: readonly Check[] = [...recordChecks, ...syncChecks, ...responseChecks, ...credentialChecks];

/** Runs all checks of a kind on a recording. Needs no network and no service. */
export async function* testSource(kind: Kind, recording: Recording): AsyncGenerator<Finding, void> {
  const context: CheckContext = { kind, recording, play: createPlayer(kind, recording) };
  for (const call of recording.calls) {
    for (const check of checks.filter(each => each.isFor(call, context))) {
      yield { call: nameOf(call), check: check.title, ...(await outcomeOf(check, call, context)) };
    }
  }
  for (const [entity, { actions, search }] of Object.entries(kind.entities)) {
    for (const action of [...Object.keys(actions), ...(search === undefined ? [] : ['sync'])]) {
      if (recording.calls.some(call => call.entity === entity && call.action === action)) continue;
      yield {
        call: `${entity}.${action}`,
        check: 'is recorded',
        outcome: 'unproven',
        message: 'The recording has no such call',
      };
    }
  }
}

async function outcomeOf(
  check: Check,
  call: RecordedCall,
  context: CheckContext,
): Promise<Pick<Finding, 'outcome' | 'message'>> {
  try {
    await check.run(call, context);
    return { outcome: 'passed', message: null };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { outcome: error instanceof Unproven ? 'unproven' : 'failed', message };
  }
}
