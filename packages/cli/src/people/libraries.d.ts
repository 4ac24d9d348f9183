declare module '@michaelhomer/jqjs' {
  interface Jq {
    /** Compiles a jq filter. Throws an error for a wrong one. */
    compile(filter: string): (input: unknown) => Iterable<unknown>;
  }
  const jq: Jq;
  export default jq;
}

declare module 'mustache' {
  interface Mustache {
    /** Throws an error for a wrong template. */
    render(template: string, view: unknown, partials: undefined, config: { escape(value: unknown): string }): string;
  }
  const mustache: Mustache;
  export default mustache;
}
