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

declare module '@napi-rs/keyring' {
  /** An entry of the keychain of the system. Its methods reject where the system has none. */
  class AsyncEntry {
    constructor(service: string, account: string, options?: { linux?: { store?: 'secret-service' | 'keyutils' } });
    setPassword(password: string): Promise<void>;
    /** Returns null if there is no such entry. */
    getPassword(): Promise<string | null>;
    /** Returns whether there was an entry. */
    deletePassword(): Promise<boolean>;
  }
}
