/** A workflow state: a shape and its name, so that it does not depend on colour. */
export function StateLabel({
  state,
}: {
  state: { name?: string; initState?: boolean; terminal?: boolean } | undefined;
}) {
  if (!state) return <span />;
  const shape = state.terminal ? '●' : state.initState ? '○' : '◐';
  return (
    <span>
      <span aria-hidden>{shape} </span>
      {state.name}
    </span>
  );
}
