/** A colour that an administrator chose; anything but six hexadecimal digits is none. */
export function colourOf(code: string | undefined): string {
  const [, digits] = /^#?([0-9a-f]{6})$/i.exec(code ?? '') ?? [];
  return digits ? `#${digits}` : 'var(--portico-muted)';
}
