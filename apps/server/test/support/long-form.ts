/**
 * Whether tests run at full length (`npm run test:full`), which runs only the files that name this constant: those that try
 * more cases then.
 */
export const longForm = Boolean(process.env['PORTICO_TEST_FULL']);
