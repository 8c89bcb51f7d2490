import { createHash } from 'node:crypto';
import { crc32, inflateSync } from 'node:zlib';
import { ConnectorAuthError, displayLimits } from '@connector-auth/api';

/** A logo that a browser can display safely, and the version in its URL. */
export interface Logo {
  readonly type: 'image/png' | 'image/webp';
  readonly bytes: Uint8Array;
  readonly version: string;
}

/**
 * Parses a PNG or WebP image and writes it again with only the parts that are needed to display it, so that a
 * stored logo contains no metadata and no data of another format.
 * @throws ConnectorAuthError `invalid_params` if the image is invalid, animated or too large.
 */
export function parseLogo(image: Buffer): Logo {
  const { logoBytes, logoPixels } = displayLimits;
  if (image.length > logoBytes) throw invalid(`Must be at most ${logoBytes / 1024} KiB`);
  const isPng = image.subarray(0, pngSignature.length).equals(pngSignature);
  const isWebp = tagAt(image, 0) === 'RIFF' && tagAt(image, 8) === 'WEBP';
  if (!isPng && !isWebp) throw invalid('Must be a PNG or WebP image');
  const { width, height, bytes } = isPng ? parsePng(image) : parseWebp(image);
  if (width < 1 || height < 1 || width > logoPixels || height > logoPixels) {
    throw invalid(`Must be at most ${logoPixels} × ${logoPixels} pixels`);
  }
  return {
    type: isPng ? 'image/png' : 'image/webp',
    bytes,
    version: createHash('sha256').update(bytes).digest('hex').slice(0, 16),
  };
}

interface Image {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const pngChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'IDAT', 'IEND']);
/** Channels per pixel by PNG colour type. */
const pngChannels: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

function parsePng(image: Buffer): Image {
  const chunks = readPngChunks(image).filter(({ type }) => pngChunks.has(type));
  const [header] = chunks;
  if (header?.type !== 'IHDR' || header.data.length !== 13) throw invalid('The PNG image has no header');
  const width = header.data.readUInt32BE(0);
  const height = header.data.readUInt32BE(4);
  const [depth = 0, colourType = 0, compression, filter, interlace] = header.data.subarray(8);
  const channels = pngChannels.get(colourType);
  if (channels === undefined || ![1, 2, 4, 8, 16].includes(depth) || compression !== 0 || filter !== 0) {
    throw invalid('The PNG image has an unknown format');
  }
  if (interlace !== 0) throw invalid('The PNG image must not be interlaced');
  // The pixels are inflated only to check them, so the limit must come first.
  if (width <= displayLimits.logoPixels && height <= displayLimits.logoPixels) {
    const size = height * (1 + Math.ceil((width * depth * channels) / 8));
    const pixels = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
    if (inflatedSize(Buffer.concat(pixels), size) !== size) throw invalid('The PNG image is damaged');
  }
  return { width, height, bytes: Buffer.concat([pngSignature, ...chunks.map(writePngChunk)]) };
}

/** Reads all chunks up to the end of the image. Rejects data after it, and unknown chunks that affect the display. */
function readPngChunks(image: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = pngSignature.length; at + 12 <= image.length;) {
    const end = at + 12 + image.readUInt32BE(at);
    if (end > image.length) break;
    const type = tagAt(image, at + 4);
    const isIntact = crc32(image.subarray(at + 4, end - 4)) === image.readUInt32BE(end - 4);
    const isOptional = /^[a-z][a-zA-Z]{3}$/.test(type);
    if (!isIntact || (!isOptional && !pngChunks.has(type))) break;
    chunks.push({ type, data: image.subarray(at + 8, end - 4) });
    if (type === 'IEND' && end === image.length) return chunks;
    if (type === 'IEND') break;
    if (type === 'acTL') throw invalid('The image must not be animated');
    at = end;
  }
  throw invalid('The PNG image is damaged, or other data follows it');
}

function inflatedSize(data: Buffer, maxOutputLength: number): number | null {
  try {
    return inflateSync(data, { maxOutputLength }).length;
  } catch {
    return null;
  }
}

function writePngChunk({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

const webpChunks = new Set(['VP8X', 'ALPH', 'VP8 ', 'VP8L']);
/** The flags in a WebP header: the image has an alpha channel, or is animated. */
const [hasAlpha, isAnimated] = [0x10, 0x02];

function parseWebp(image: Buffer): Image {
  const all = readWebpChunks(image);
  const header = all.find(({ type }) => type === 'VP8X');
  if (all.some(({ type }) => type === 'ANIM' || type === 'ANMF'))
    throw invalid('The image must not be animated');
  const chunks = all.filter(({ type }) => webpChunks.has(type));
  const images = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L');
  const [bitstream] = images;
  if (bitstream === undefined || images.length > 1) throw invalid('The WebP image is damaged');
  const size = bitstream.type === 'VP8 ' ? sizeOfLossy(bitstream.data) : sizeOfLossless(bitstream.data);
  if (size === null) throw invalid('The WebP image is damaged');
  if (header !== undefined) {
    const { data } = header;
    const isMatching =
      chunks[0] === header &&
      data.length === 10 &&
      data.readUIntLE(4, 3) + 1 === size.width &&
      data.readUIntLE(7, 3) + 1 === size.height &&
      ((data[0] ?? 0) & isAnimated) === 0;
    if (!isMatching) throw invalid('The WebP image is damaged or animated');
  } else if (chunks.length > 1) throw invalid('The WebP image is damaged');
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks.map(writeWebpChunk)]);
  const riff = Buffer.alloc(8);
  riff.write('RIFF', 'latin1');
  riff.writeUInt32LE(body.length, 4);
  return { ...size, bytes: Buffer.concat([riff, body]) };
}

function readWebpChunks(image: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  // A wrong length ends the loop at once, and the image is rejected below.
  let at = image.readUInt32LE(4) === image.length - 8 ? 12 : image.length + 1;
  while (at + 8 <= image.length) {
    const size = image.readUInt32LE(at + 4);
    const end = at + 8 + size;
    if (end > image.length) break;
    chunks.push({ type: tagAt(image, at), data: image.subarray(at + 8, end) });
    at = end + (size % 2);
  }
  if (at !== image.length) throw invalid('The WebP image is damaged, or other data follows it');
  return chunks;
}

/** Reads the size from the header of a key frame (RFC 6386, section 9.1). */
function sizeOfLossy(data: Buffer): { width: number; height: number } | null {
  const isKeyFrame = data.length > 10 && ((data[0] ?? 1) & 1) === 0 && data.readUIntBE(3, 3) === 0x9d012a;
  return isKeyFrame ? { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff } : null;
}

/** Reads the size from the header of a lossless image (RFC 9649, section 3.4). */
function sizeOfLossless(data: Buffer): { width: number; height: number } | null {
  if (data.length < 6 || data[0] !== 0x2f) return null;
  const bits = data.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function writeWebpChunk({ type, data }: Chunk): Buffer {
  const body = Buffer.from(data);
  // The chunks with metadata are left out, so their flags must not be set.
  if (type === 'VP8X') body[0] = (body[0] ?? 0) & hasAlpha;
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

function tagAt(image: Buffer, at: number): string {
  return image.toString('latin1', at, at + 4);
}

function invalid(message: string): ConnectorAuthError {
  return ConnectorAuthError.invalid('invalid_params', [{ path: 'image', message }]);
}
