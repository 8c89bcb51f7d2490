import { expect, test } from 'vitest';
import { byDay, speakersOf, type Call } from './calls.ts';

test('names those who spoke, by email address if they have no name', () => {
  expect(
    speakersOf([
      { name: 'Petra Osei', speakerId: '64', affiliation: 'Internal' },
      { name: 'Silent Sam', speakerId: null, affiliation: 'Internal' },
      { emailAddress: 'cfo@brackenfield.example', speakerId: '65', affiliation: 'External' },
      { speakerId: '66' },
    ]),
  ).toEqual([
    { name: 'Petra Osei', isGuest: false },
    { name: 'cfo@brackenfield.example', isGuest: true },
    { name: 'Unknown speaker', isGuest: true },
  ]);
});

test('groups calls by their day in the browser’s time zone, whatever offset Gong sends', () => {
  const call = (id: string, started: Date): Call => ({
    id,
    started: started.toISOString(),
    title: id,
    seconds: 60,
    brief: null,
    speakers: [],
  });
  const late = call('late', new Date(2026, 10, 22, 23, 50));
  const early = call('early', new Date(2026, 10, 22, 0, 10));
  const before = call('before', new Date(2026, 10, 21, 23, 50));
  expect(byDay([late, early, before])).toEqual([
    { day: '2026-11-22', calls: [late, early] },
    { day: '2026-11-21', calls: [before] },
  ]);
});
