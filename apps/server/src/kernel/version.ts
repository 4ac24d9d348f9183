import manifest from '../../package.json' with { type: 'json' };

/** Version of Portico. */
export const version: string = manifest.version;
