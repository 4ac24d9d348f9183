/** Detects pictures, sound and video in containers: the names inside a container decide. */

/** The media type of a known container of pictures, sound or video. */
export function sniffMedia(head: Buffer): string | undefined {
  const text = (start: number, end: number) => head.toString('latin1', start, end);
  if (text(4, 8) === 'ftyp') return isoMediaType(head);
  switch (text(0, 4)) {
    case 'RIFF':
      return { WEBP: 'image/webp', 'AVI ': 'video/x-msvideo', WAVE: 'audio/wav' }[text(8, 12)];
    case '\x1aE\xdf\xa3':
      return text(0, 64).includes('webm') ? 'video/webm' : 'video/x-matroska';
    case 'OggS':
      return /theora|OVP80|Dirac|fishead/.test(text(0, 256)) ? 'video/ogg' : 'audio/ogg';
    case 'fLaC':
      return 'audio/flac';
    case 'MThd':
      return 'audio/midi';
    case 'FORM':
      return /^AIF[FC]$/.test(text(8, 12)) ? 'audio/aiff' : undefined;
    case '0&\xb2u':
      return 'video/x-ms-asf';
    case '\0\0\x01\xba':
    case '\0\0\x01\xb3':
      return 'video/mpeg';
  }
  if (text(0, 3) === 'ID3') return 'audio/mpeg';
  if (text(0, 4) === 'FLV\x01') return 'video/x-flv';
  if (text(0, 5) === '#!AMR') return 'audio/amr';
  if (isBitmap(head)) return 'image/bmp';
  if (isTransportStream(head)) return 'video/mp2t';
  return audioFrames(head);
}

/** ISO base media: the major brand, else one of the compatible ones. */
function isoMediaType(head: Buffer): string {
  const brands = brandsOf(head);
  const picture = pictureType(brands);
  if (picture) return picture;
  const major = brands[0] ?? '';
  if (major.startsWith('M4A') || major.startsWith('M4B')) return 'audio/mp4';
  if (major === 'qt  ') return 'video/quicktime';
  if (major.startsWith('3g')) return 'video/3gpp';
  return 'video/mp4';
}

/** Bytes of the list of brands that are looked at. */
const MOST_BRANDS = 4_096;

/** The major brand, then the compatible ones. */
function brandsOf(head: Buffer): string[] {
  // A size of 1 says that the size itself follows, in eight bytes more.
  const size = head.readUInt32BE(0);
  const start = size === 1 ? 16 : 8;
  const length = size === 1 && head.length >= 16 ? Number(head.readBigUInt64BE(8)) : size;
  const end = Math.min(head.length, Math.max(start + 8, length), MOST_BRANDS);
  const brands: string[] = [];
  for (let at = start; at + 4 <= end; at += 4) {
    // The version of the major brand is no brand.
    if (at !== start + 4) brands.push(head.toString('latin1', at, at + 4));
  }
  return brands;
}

/** Brands of AVIF, its profiles included. */
const AVIF = /^(?:avif|avis|avio|MA1A|MA1B)$/;
/** Brands of pictures and sequences in HEVC and its layered form (ISO/IEC 23008-12, annex B). */
const HEIC = /^(?:heic|heix|heim|heis|hevc|hevx|hevm|hevs|MiHA|MiHB|MiHE)$/;
/** The other brands that ISO/IEC 23008-12, its amendments and MIAF (ISO/IEC 23000-22) define for pictures. */
const HEIF =
  /^(?:mif1|mif2|mif3|msf1|miaf|MiPr|MiAn|MiBu|MiCm|1pic|pred|tmap|unif|jpeg|jpgs|j2ki|j2is|avci|avcs|vvic|vvis|evbi|evbs|evmi|evms)$/;

/** The media type of a picture by its brands; the first one that names a kind of picture decides. */
function pictureType(brands: readonly string[]): string | undefined {
  for (const brand of brands) {
    if (AVIF.test(brand)) return 'image/avif';
    if (HEIC.test(brand)) return 'image/heic';
  }
  return brands.some((brand) => HEIF.test(brand)) ? 'image/heif' : undefined;
}

/** `BM` begins texts too: the size of the header that follows must be one of the known ones. */
function isBitmap(head: Buffer): boolean {
  if (head.length < 26 || head.toString('latin1', 0, 2) !== 'BM') return false;
  return [12, 40, 52, 56, 64, 108, 124].includes(head.readUInt32LE(14));
}

/** Packets of 188 bytes, each beginning with the same byte. */
function isTransportStream(head: Buffer): boolean {
  if (head.length < 188 * 4) return false;
  return [0, 188, 376, 564].every((at) => head[at] === 0x47);
}

const MP3_BITRATES = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const;
const MP3_BITRATES_LOW = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const;
const MP3_RATES = [44_100, 48_000, 32_000] as const;
/** Divisors of {@link MP3_RATES}, by the version in the frame: 3 is MPEG 1, 2 is MPEG 2, 0 is MPEG 2.5. */
const MP3_RATE_DIVISORS: Readonly<Record<number, number>> = { 3: 1, 2: 2, 0: 4 };

/** MPEG layer 3 or AAC (ADTS) without a container: a frame whose length leads to the next frame. */
function audioFrames(head: Buffer): string | undefined {
  if (head.length < 8 || head[0] !== 0xff) return undefined;
  const second = head[1]!;
  if ((second & 0xf6) === 0xf0) {
    const length = ((head[3]! & 3) << 11) | (head[4]! << 3) | (head[5]! >> 5);
    return length > 7 && head[length] === 0xff && (head[length + 1]! & 0xf6) === 0xf0 ? 'audio/aac' : undefined;
  }
  if ((second & 0xe6) !== 0xe2) return undefined;
  const version = (second >> 3) & 3;
  const rate = MP3_RATES[((head[2]! >> 2) & 3) as 0 | 1 | 2];
  const bitrate = (version === 3 ? MP3_BITRATES : MP3_BITRATES_LOW)[head[2]! >> 4];
  const divisor = MP3_RATE_DIVISORS[version];
  if (!divisor || !rate || !bitrate) return undefined;
  const samples = version === 3 ? 144 : 72;
  const length = Math.floor((samples * bitrate * 1000) / (rate / divisor)) + ((head[2]! >> 1) & 1);
  return head[length] === 0xff && (head[length + 1]! & 0xe6) === 0xe2 ? 'audio/mpeg' : undefined;
}
