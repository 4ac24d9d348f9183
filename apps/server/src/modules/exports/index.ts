/** Lists as files: CSV, lines of JSON, workbooks. */
export { exportList, type ListPage } from './export-list.ts';
