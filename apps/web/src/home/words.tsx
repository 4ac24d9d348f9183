/** Characters of a text that are shown in its row. */
const MOST = 120;

/** The first words of a text of which a row tells; nothing where there are none. */
export function Words({ of }: { of: string | undefined }) {
  const words = of?.trim().replaceAll(/\s+/g, ' ') ?? '';
  if (words === '') return null;
  return <q dir="auto">{words.length > MOST ? `${words.slice(0, MOST)}…` : words}</q>;
}
