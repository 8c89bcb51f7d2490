import * as fc from 'fast-check';

const character = fc
  .integer({ min: 0, max: 0x10_ff_ff })
  .filter(code => code < 0xd8_00 || code > 0xdf_ff)
  .map(code => String.fromCodePoint(code));

/** Texts of any characters. The unit `binary` of `fc.string` does the same, but takes two seconds in each process. */
export function anyCharacters(constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: character });
}
