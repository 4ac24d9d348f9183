import { Circle, CircleDot, Contrast } from 'lucide-react';

/** A workflow state: a shape and its name, so that it does not depend on colour. */
export function StateLabel({
  state,
}: {
  state: { name?: string; initState?: boolean; terminal?: boolean } | undefined;
}) {
  if (!state) return <span />;
  const Shape = state.terminal ? CircleDot : state.initState ? Circle : Contrast;
  return (
    <span className="state">
      <Shape size={14} aria-hidden /> {state.name}
    </span>
  );
}
