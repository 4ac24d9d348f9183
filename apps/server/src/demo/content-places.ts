/** Workspaces and catalogs of the demo. */
import type { Texts } from './content-types.ts';

export interface WorkspaceSpec {
  key: string;
  name: string;
  translations: Texts;
  description: Texts;
  color: readonly [number, number, number];
  /** Positions in `people` and keys of groups. */
  administrators: { people: readonly number[]; groups: readonly string[] };
  members: { people: readonly number[]; groups: readonly string[] };
}

export const workspaces: readonly WorkspaceSpec[] = [
  {
    key: 'operations',
    name: 'Operations',
    translations: { en: 'Operations', it: 'Operatività', de: 'Betrieb', ja: 'オペレーション' },
    description: {
      en: 'What keeps the sites running: support, purchasing, buildings.',
      it: 'Quello che tiene in moto le sedi: assistenza, acquisti, edifici.',
    },
    color: [22, 96, 136],
    administrators: { people: [1, 6], groups: ['managers'] },
    members: { people: [10, 31], groups: ['everyone'] },
  },
  {
    key: 'people',
    name: 'People & Culture',
    translations: { en: 'People & Culture', it: 'Persone e cultura', de: 'Menschen und Kultur', ja: '人と文化' },
    description: { en: 'News, arrivals, training and meetings.', it: 'Notizie, nuovi arrivi, corsi e incontri.' },
    color: [196, 84, 60],
    administrators: { people: [5], groups: ['hr'] },
    members: { people: [15], groups: ['everyone'] },
  },
  {
    key: 'projects',
    name: 'Projects',
    translations: { en: 'Projects', it: 'Progetti', de: 'Projekte', ja: 'プロジェクト' },
    description: { en: 'Product development and ideas.', de: 'Produktentwicklung und Ideen.' },
    color: [70, 120, 66],
    administrators: { people: [3], groups: [] },
    members: { people: [45], groups: ['tech', 'managers'] },
  },
];

export interface EntrySpec {
  key: string;
  label: Texts;
  /** Keys of entries of the parent catalog. */
  below?: readonly string[];
  deleted?: boolean;
}

export interface CatalogSpec {
  key: string;
  name: Texts;
  parent?: string;
  entries: readonly EntrySpec[];
}

export const catalogs: readonly CatalogSpec[] = [
  {
    key: 'site',
    name: { en: 'Sites', it: 'Sedi', de: 'Standorte', ja: '拠点' },
    entries: [
      { key: 'lecco', label: { en: 'Lecco', it: 'Lecco' } },
      { key: 'rosenheim', label: { en: 'Rosenheim', de: 'Rosenheim' } },
      { key: 'reading', label: { en: 'Reading' } },
      { key: 'kobe', label: { en: 'Kobe', ja: '神戸' } },
      { key: 'bergamo', label: { en: 'Bergamo (closed)', it: 'Bergamo (chiusa)' }, deleted: true },
    ],
  },
  {
    key: 'building',
    name: { en: 'Buildings', it: 'Edifici', de: 'Gebäude' },
    parent: 'site',
    entries: [
      { key: 'lecco-a', label: { en: 'Plant A', it: 'Stabilimento A' }, below: ['lecco'] },
      { key: 'lecco-b', label: { en: 'Plant B', it: 'Stabilimento B' }, below: ['lecco'] },
      { key: 'ro-hall', label: { en: 'Assembly hall', de: 'Montagehalle' }, below: ['rosenheim'] },
      { key: 'ro-office', label: { en: 'Office building', de: 'Bürogebäude' }, below: ['rosenheim'] },
      { key: 're-lab', label: { en: 'Calibration lab' }, below: ['reading'] },
      { key: 'ko-floor', label: { en: 'Harbour Tower', ja: '港タワー' }, below: ['kobe'] },
      { key: 'canteen', label: { en: 'Canteen', it: 'Mensa', de: 'Kantine' }, below: ['lecco', 'rosenheim'] },
    ],
  },
  {
    key: 'room',
    name: { en: 'Rooms', it: 'Locali', de: 'Räume' },
    parent: 'building',
    entries: [
      { key: 'a-line1', label: { en: 'Line 1', it: 'Linea 1' }, below: ['lecco-a'] },
      { key: 'a-line2', label: { en: 'Line 2', it: 'Linea 2' }, below: ['lecco-a'] },
      { key: 'b-store', label: { en: 'Warehouse', it: 'Magazzino' }, below: ['lecco-b'] },
      { key: 'hall-1', label: { en: 'Bay 1', de: 'Tor 1' }, below: ['ro-hall'] },
      { key: 'hall-4', label: { en: 'Bay 4', de: 'Tor 4' }, below: ['ro-hall'] },
      { key: 'o-302', label: { en: 'Room 302', de: 'Zimmer 302' }, below: ['ro-office'] },
      { key: 'lab-1', label: { en: 'Mass lab' }, below: ['re-lab'] },
      { key: 'tower-12', label: { en: '12th floor', ja: '12階' }, below: ['ko-floor'] },
      { key: 'kitchen', label: { en: 'Kitchen', it: 'Cucina', de: 'Küche' }, below: ['canteen'] },
    ],
  },
  {
    key: 'supplier',
    name: { en: 'Suppliers', it: 'Fornitori' },
    entries: [
      'Ferramenta Adda',
      'Officine Resegone',
      'Isarwerk Metallbau',
      'Thames Valley Office',
      '湊電子',
      'Cartotecnica Lario',
      'Vogelbauer Messtechnik',
      'Hollow Oak Furniture',
      'Nordlys Sensors',
      'Elettroforniture Brianza',
    ].map((name, index) => ({ key: `S${index + 1}`, label: { en: name }, ...(index === 9 && { deleted: true }) })),
  },
  {
    key: 'costcentre',
    name: { en: 'Cost centres', it: 'Centri di costo' },
    entries: ['Production', 'Development', 'Sales', 'Buildings', 'Training', 'Administration'].map((name, index) => ({
      key: `CC${100 + index * 10}`,
      label: { en: name },
    })),
  },
  {
    key: 'skill',
    name: { en: 'Skills', it: 'Competenze', de: 'Fähigkeiten', ja: 'スキル' },
    entries: [
      { key: 'calibration', label: { en: 'Calibration', ja: '校正' } },
      { key: 'safety', label: { en: 'Safety', it: 'Sicurezza', de: 'Sicherheit', ja: '安全' } },
      { key: 'languages', label: { en: 'Languages', ja: '語学' } },
      { key: 'software', label: { en: 'Software', ja: 'ソフトウェア' } },
      { key: 'leadership', label: { en: 'Leadership', ja: 'リーダーシップ' } },
    ],
  },
];
