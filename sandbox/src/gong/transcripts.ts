import type { Call } from './calls.ts';
import type { GongCompany } from './company.ts';
import { inventParties } from './participants.ts';

/** One speaker's monologue. */
interface WireMonologue {
  readonly speakerId: string;
  readonly topic: string | null;
  /** The sentences, with times in milliseconds from the start of the call. */
  readonly sentences: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

/** Returns whether the call has a transcript. Calls shorter than 30 seconds do not. */
export function hasTranscript(call: Call): boolean {
  return call.wire.duration >= 30;
}

/** Generates a call's transcript, as `POST /v2/calls/transcript` returns it, with up to 300 monologues. */
export function writeTranscript(call: Call, company: GongCompany) {
  const random = call.random.fork('transcript');
  const { topics } = company.words;
  const speakers = inventParties(call, company).filter(party => party.speakerId !== null);
  const lengthMs = call.wire.duration * 1000;
  const transcript: WireMonologue[] = [];
  let atMs = random.integer(200, 2000);
  while (atMs < lengthMs && transcript.length < 300) {
    const speaker = random.pick(speakers);
    const part = topics[Math.min(topics.length - 1, Math.floor((atMs / lengthMs) * topics.length))];
    const lines = part?.[speaker.affiliation === 'Internal' ? 'ours' : 'theirs'] ?? [];
    const sentences = random.sample(lines, random.integer(1, 3)).map(text => {
      const start = atMs;
      atMs = start + text.length * random.integer(55, 75) + 150;
      return { start, end: atMs - 150, text };
    });
    transcript.push({ speakerId: speaker.speakerId ?? '', topic: part?.name ?? null, sentences });
    atMs += random.integer(300, 9000);
  }
  return { callId: call.wire.id, transcript };
}
