export { capture, type Capture, type RecordOptions } from './record.ts';
export { readRecording, writeRecording, type Recording } from './recording.ts';
export { testSource } from './test-source.ts';
export type { Finding } from './suite/check.ts';
