/** Personal data of one person. */
export { exportPerson } from './export-person.ts';
