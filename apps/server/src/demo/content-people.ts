/** The people of the demo: Alveria, an invented maker of measuring instruments with four sites. */
import type { Tongue } from './content-types.ts';

/** Address of the administrator, printed by the first start. */
export const DEMO_ADMIN_EMAIL = 'admin@alveria.example';
export const MAIL_DOMAIN = 'alveria.example';

export const areas = [
  { key: 'ops', name: 'Operations', description: 'Production, logistics and sites' },
  { key: 'tech', name: 'Technology', description: 'Product development and IT' },
  { key: 'people', name: 'People & Culture', description: 'Staff, training, communication' },
  { key: 'market', name: 'Market', description: 'Sales, service and customers' },
] as const;

export const businessUnits = [
  { key: 'flow', name: 'Flow Meters', description: 'Instruments for liquids and gases' },
  { key: 'scale', name: 'Precision Scales', description: 'Laboratory and industrial scales' },
  { key: 'shared', name: 'Shared Services', description: 'Finance, IT, facilities' },
] as const;

export type AreaKey = (typeof areas)[number]['key'];
export type UnitKey = (typeof businessUnits)[number]['key'];

/** A person: names, language, area, business unit, job. The order decides who is whose manager. */
export type PersonSpec = readonly [first: string, last: string, Tongue, AreaKey, UnitKey, role: string];

// biome-ignore format: a table
export const people: readonly PersonSpec[] = [
  ['Livia', 'Montresor', 'it', 'people', 'shared', 'Portal administrator'],
  ['Margaret', 'Ashdown', 'en', 'ops', 'shared', 'Chief operating officer'],
  ['Tommaso', 'Vercellino', 'it', 'ops', 'flow', 'Direttore di stabilimento'],
  ['Heike', 'Brandstätter', 'de', 'tech', 'scale', 'Leiterin Entwicklung'],
  ['蒼太', '森川', 'ja', 'market', 'flow', '営業部長'],
  ['Chiara', "D'Aloisio", 'it', 'people', 'shared', 'Responsabile risorse umane'],
  ['Edward', 'Pemberton', 'en', 'tech', 'shared', 'Head of IT'],
  ['Jürgen', 'Oberhauser', 'de', 'ops', 'shared', 'Leiter Gebäudetechnik'],
  ['Ilaria', 'Bonfanti', 'it', 'market', 'scale', 'Responsabile commerciale'],
  ['美咲', '高梨', 'ja', 'people', 'flow', '研修担当'],
  ['Nicolò', 'Zanardelli', 'it', 'tech', 'flow', 'Progettista meccanico'],
  ['Rebecca', 'Thornbury', 'en', 'market', 'flow', 'Account manager'],
  ['Anneliese', 'Kreutzer', 'de', 'tech', 'scale', 'Softwareentwicklerin'],
  ['Matteo', 'Quaglia', 'it', 'ops', 'flow', 'Capo turno'],
  ['Oliver', 'Wexcombe', 'en', 'tech', 'shared', 'Service desk analyst'],
  ['陽菜', '藤本', 'ja', 'market', 'flow', '営業'],
  ['Beatrice', 'Sangalli', 'it', 'people', 'shared', 'Comunicazione interna'],
  ['Wolfram', 'Eibensteiner', 'de', 'ops', 'scale', 'Fertigungsplaner'],
  ['Hannah', 'Lockridge', 'en', 'ops', 'shared', 'Buyer'],
  ['Davide', 'Perrucchetti', 'it', 'ops', 'shared', 'Responsabile acquisti'],
  ['大輔', '北村', 'ja', 'tech', 'flow', '開発エンジニア'],
  ['Sieglinde', 'Rauh', 'de', 'people', 'shared', 'Personalreferentin'],
  ['Francesca', 'Marinelli', 'it', 'market', 'scale', 'Assistenza clienti'],
  ['George', 'Hollingbery', 'en', 'tech', 'shared', 'Network engineer'],
  ['Lorenzo', 'Tagliabue', 'it', 'tech', 'flow', 'Analista dati'],
  ['Franziska', 'Möllendorf', 'de', 'market', 'scale', 'Vertriebsinnendienst'],
  ['結衣', '小笠原', 'ja', 'people', 'flow', '人事'],
  ['Emanuele', 'Crippa', 'it', 'ops', 'flow', 'Manutentore'],
  ['Charlotte', 'Inglewood', 'en', 'people', 'shared', 'Learning partner'],
  ['Konrad', 'Schüssler', 'de', 'tech', 'scale', 'Prüfingenieur'],
  ['Silvia', 'Rovelli', 'it', 'people', 'shared', 'Amministrazione del personale'],
  ['Thomas', 'Bickerstaff', 'en', 'ops', 'flow', 'Quality inspector'],
  ['健', '松永', 'ja', 'ops', 'flow', '物流'],
  ['Giorgia', 'Pellegatta', 'it', 'market', 'flow', 'Ufficio gare'],
  ['Ulrike', 'Haberkorn', 'de', 'ops', 'shared', 'Hausmeisterei'],
  ['Simon', 'Ravenscroft', 'en', 'tech', 'scale', 'Firmware developer'],
  ['Alessio', 'Gandolfi', 'it', 'tech', 'shared', 'Sistemista'],
  ['Eleonora', 'Bassani', 'it', 'ops', 'scale', 'Controllo qualità'],
  ['真央', '石田', 'ja', 'market', 'scale', 'カスタマーサポート'],
  ['Gernot', 'Pfeifenberger', 'de', 'ops', 'flow', 'Lagerleiter'],
  ['Amelia', 'Fotheringham', 'en', 'market', 'flow', 'Field service engineer'],
  ['Riccardo', 'Colnaghi', 'it', 'ops', 'shared', 'Contabilità fornitori'],
  ['Dagmar', 'Wiesinger', 'de', 'tech', 'scale', 'Normen und Zulassungen'],
  ['Serena', 'Villoresi', 'it', 'market', 'scale', 'Marketing'],
  ['拓海', '中野', 'ja', 'tech', 'flow', '品質保証'],
  ['Henry', 'Castleford', 'en', 'market', 'scale', 'Product manager'],
  ['Martina', 'Ornaghi', 'it', 'people', 'flow', 'Formazione'],
  ['Lennart', 'Holzapfel', 'de', 'tech', 'flow', 'Werkstudent'],
  ['Grace', 'Whitcombe', 'en', 'people', 'shared', 'Office manager'],
  ['Andrea', 'Sottocornola', 'it', 'ops', 'flow', 'Magazzino'],
  ['Irmgard', 'Leitgeb', 'de', 'ops', 'scale', 'Arbeitssicherheit'],
  ['Valentina', 'Mauri', 'it', 'tech', 'scale', 'Tester'],
  ['さくら', '三浦', 'ja', 'people', 'flow', '総務'],
  ['Benedict', 'Hawksworth', 'en', 'tech', 'shared', 'Security officer'],
  ['Stefano', 'Brivio', 'it', 'ops', 'flow', 'Logistica'],
  ['Roswitha', 'Kaltenegger', 'de', 'market', 'scale', 'Rechnungswesen'],
  ['Paola', 'Trabattoni', 'it', 'market', 'flow', 'Assistente'],
  ['Gareth', 'Pendry', 'en', 'ops', 'scale', 'Calibration technician'],
  ['Elias', 'Nussbaumer', 'de', 'tech', 'scale', 'Auszubildender'],
  ['Ottavia', 'Lanfranchi', 'it', 'ops', 'shared', 'Stagista'],
];

/** Positions in {@link people} of those with a part of their own. */
export const cast = {
  administrator: 0,
  /** May not sign in any more. */
  blocked: 47,
  /** Has left; content keeps the name. */
  deleted: 59,
  privateProfiles: [9, 29, 52],
  /** Write no posts; the only ones who have a licence, so that clients that cannot read licences read every author. */
  licensed: [25, 38],
  /** Whoever leads the others. */
  managers: [1, 2, 3, 4, 5, 6, 7, 8],
} as const;

export const places: Readonly<Record<Tongue, { place: string; timezone: string }>> = {
  it: { place: 'Lecco', timezone: 'Europe/Rome' },
  de: { place: 'Rosenheim', timezone: 'Europe/Berlin' },
  en: { place: 'Reading', timezone: 'Europe/London' },
  ja: { place: '神戸', timezone: 'Asia/Tokyo' },
};

export const biographies: Readonly<Record<Tongue, readonly string[]>> = {
  it: [
    'In azienda da quando i flussimetri avevano ancora la lancetta. Nel tempo libero, sentieri e formaggi.',
    'Mi piacciono i processi chiari e le riunioni brevi. Chiamatemi prima delle nove.',
  ],
  de: [
    'Seit zwölf Jahren bei Alveria, davon acht in der Halle. Fragt mich nach Toleranzen.',
    'Bergläuferin, Kaffeeverantwortliche im dritten Stock, Ansprechpartnerin für alles, was klemmt.',
  ],
  en: [
    'Joined from the calibration lab. Happy to explain uncertainty budgets over a cup of tea.',
    'I look after the things nobody notices while they work.',
  ],
  ja: [
    '神戸オフィス所属。お客様の声を製品に届けるのが仕事です。',
    '週末は登山と写真。新しい計測器の相談はいつでもどうぞ。',
  ],
};

/** A group with its members: areas, languages, or positions in {@link people}. */
export interface GroupSpec {
  key: string;
  name: string;
  description: string;
  email?: string;
  externalId?: string;
  /** False: a system group that cannot be mentioned. */
  visible?: boolean;
  tags?: readonly string[];
  deleted?: boolean;
  members: { areas?: readonly AreaKey[]; tongues?: readonly Tongue[]; people?: readonly number[]; everyone?: boolean };
}

export const groups: readonly GroupSpec[] = [
  {
    key: 'everyone',
    name: 'All staff',
    description: 'Everyone who works at Alveria',
    email: `all@${MAIL_DOMAIN}`,
    externalId: 'GRP-ALL',
    tags: ['directory'],
    members: { everyone: true },
  },
  {
    key: 'managers',
    name: 'Leadership team',
    description: 'Heads of departments and sites',
    email: `leadership@${MAIL_DOMAIN}`,
    externalId: 'GRP-LEAD',
    tags: ['directory', 'approvals'],
    members: { people: [0, 1, 2, 3, 4, 5, 6, 7, 8] },
  },
  {
    key: 'itdesk',
    name: 'IT service desk',
    description: 'First and second line support',
    email: `servicedesk@${MAIL_DOMAIN}`,
    externalId: 'GRP-IT',
    tags: ['support'],
    members: { people: [6, 14, 23, 36, 53] },
  },
  {
    key: 'buyers',
    name: 'Ufficio acquisti',
    description: 'Chi ordina, e chi controlla le fatture',
    email: `acquisti@${MAIL_DOMAIN}`,
    externalId: 'GRP-BUY',
    members: { people: [18, 19, 41] },
  },
  {
    key: 'facility',
    name: 'Gebäudetechnik',
    description: 'Betrieb der Standorte',
    email: `gebaeude@${MAIL_DOMAIN}`,
    externalId: 'GRP-FAC',
    members: { people: [7, 34, 27, 50] },
  },
  {
    key: 'hr',
    name: 'Risorse umane',
    description: 'Personale, formazione, comunicazione interna',
    externalId: 'GRP-HR',
    members: { people: [5, 9, 16, 21, 26, 28, 30, 46, 48] },
  },
  {
    key: 'tech',
    name: 'Technology',
    description: 'Development and IT',
    externalId: 'GRP-TEC',
    members: { areas: ['tech'] },
  },
  {
    key: 'ops',
    name: 'Operations',
    description: 'Plants and logistics',
    externalId: 'GRP-OPS',
    members: { areas: ['ops'] },
  },
  { key: 'market', name: 'Market', description: 'Sales and service', members: { areas: ['market'] } },
  {
    key: 'kobe',
    name: '神戸オフィス',
    description: '神戸で働く皆さん',
    externalId: 'GRP-KOBE',
    members: { tongues: ['ja'] },
  },
  {
    key: 'auditors',
    name: 'Audit accounts',
    description: 'System group of the yearly audit',
    visible: false,
    externalId: 'GRP-AUD',
    members: { people: [1, 55] },
  },
  {
    key: 'fair',
    name: 'Messe-Team',
    description: 'Aufgelöst nach der Messe',
    deleted: true,
    members: { people: [25, 43] },
  },
];
