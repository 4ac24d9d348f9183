/** A sentence about an error of a form as a whole; nothing where there is none. */
export function Fault({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <p className="fault" role="alert">
      {text}
    </p>
  );
}
