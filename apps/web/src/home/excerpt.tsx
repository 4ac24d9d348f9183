/** Characters of a text that are shown in its row. */
const MAX_LENGTH = 120;

/** The first words of a text of which a row tells; nothing where there are none. */
export function Excerpt({ text }: { text: string | undefined }) {
  const words = text?.trim().replaceAll(/\s+/g, ' ') ?? '';
  if (words === '') return null;
  return <q dir="auto">{words.length > MAX_LENGTH ? `${words.slice(0, MAX_LENGTH)}…` : words}</q>;
}
