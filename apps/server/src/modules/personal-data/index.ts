/** What is known of one person. */
export { exportPerson } from './export-person.ts';
