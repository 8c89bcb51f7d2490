import { expect, test } from 'vitest';
import { byDay, newest, speakersOf, type Call } from './calls.ts';

test('names those who spoke, by email address if they have no name', () => {
  expect(
    speakersOf([
      { name: 'Petra Lopes', speakerId: '64', affiliation: 'Internal' },
      { name: 'Silent Sam', speakerId: null, affiliation: 'Internal' },
      { emailAddress: 'cfo@brackenfield.example', speakerId: '65', affiliation: 'External' },
      { speakerId: '66' },
    ]),
  ).toEqual([
    { name: 'Petra Lopes', isGuest: false },
    { name: 'cfo@brackenfield.example', isGuest: true },
    { name: 'Unknown speaker', isGuest: true },
  ]);
});

function call(id: string, started: string): Call {
  return { id, started, title: id, seconds: 60, brief: null, speakers: [] };
}

test('lists the newest call first, whatever offset Gong sends', () => {
  const calls = [
    call('second', '2026-11-20T10:00:00+01:00'),
    call('first', '2026-11-20T04:30:00-05:00'),
    call('third', '2026-11-20T08:59:00Z'),
  ];
  expect(newest(calls).map(({ id }) => id)).toEqual(['first', 'second', 'third']);
});

test('groups calls by their day in the browser’s time zone', () => {
  const late = call('late', new Date(2026, 10, 22, 23, 50).toISOString());
  const early = call('early', new Date(2026, 10, 22, 0, 10).toISOString());
  const before = call('before', new Date(2026, 10, 21, 23, 50).toISOString());
  expect(byDay([late, early, before])).toEqual([
    { day: '2026-11-22', calls: [late, early] },
    { day: '2026-11-21', calls: [before] },
  ]);
});
