/** Escapes text for HTML: the host, for example, comes from the client and is not trusted. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
