/**
 * Whether tests run at full length (`npm run test:full`). That run includes only the files that
 * name this constant, because they then try more cases.
 */
export const longForm = Boolean(process.env['PORTICO_TEST_FULL']);
