/** Returns the UTF-16 encoding that the byte order mark at the start of the data names, or undefined. */
export function utf16Of(data: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (data[0] === 0xff && data[1] === 0xfe) return 'utf-16le';
  return data[0] === 0xfe && data[1] === 0xff ? 'utf-16be' : undefined;
}
