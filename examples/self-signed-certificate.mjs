// A certificate signed by itself, for trying TLS on one machine: X.509 written by hand in DER, since Node.js makes keys and
// signatures but no certificates. Needs nothing but Node.js. For a portal that others use, take a real certificate.
// usage: node examples/self-signed-certificate.mjs DIRECTORY [HOST_OR_ADDRESS…]   (writes cert.pem and key.pem)
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { isIPv4, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Encodes an element of DER: tag, length, content. */
function der(tag, ...contents) {
  const content = Buffer.concat(contents);
  const { length } = content;
  return Buffer.concat([Buffer.from([tag, ...sizeOf(length)]), content]);
}

function sizeOf(length) {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

const sequence = (...items) => der(0x30, ...items);
const octets = (content) => der(0x04, content);
const bits = (content) => der(0x03, Buffer.from([0]), content);
const integer = (bytes) => der(0x02, bytes[0] & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
const yes = der(0x01, Buffer.from([0xff]));

/** An object identifier such as 2.5.29.17. */
function identifier(text) {
  const [first, second, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const groups = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return der(0x06, Buffer.from(bytes));
}

/** A time, as certificates write years before 2050. */
function time(date) {
  return der(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));
}

/** The bytes of an address: four or sixteen. */
function addressBytes(address) {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head, tail] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = tail === undefined ? [] : Array(8 - head.length - tail.length).fill('0');
  const groups = [...head, ...zeros, ...(tail ?? [])];
  return Buffer.from(groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]));
}

const extension = (id, critical, content) => sequence(identifier(id), ...(critical ? [yes] : []), octets(content));

/**
 * Makes a key and a certificate for it.
 * @param names host names and addresses that it is for; the first one is its common name
 * @returns both as PEM texts
 */
export function selfSignedCertificate(names, days = 30) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(identifier('1.2.840.10045.4.3.2')); // ECDSA with SHA-256
  const subject = sequence(der(0x31, sequence(identifier('2.5.4.3'), der(0x0c, Buffer.from(names[0])))));
  const now = Date.now();
  const alternatives = names.map((name) =>
    isIPv4(name) || isIPv6(name) ? der(0x87, addressBytes(name)) : der(0x82, Buffer.from(name)),
  );
  const extensions = [
    extension('2.5.29.19', true, sequence(yes)), // it signs: itself
    extension('2.5.29.15', true, der(0x03, Buffer.from([2, 0x84]))), // digital signature, certificate signing
    extension('2.5.29.37', false, sequence(identifier('1.3.6.1.5.5.7.3.1'))), // for servers
    extension('2.5.29.17', false, sequence(...alternatives)),
  ];
  const content = sequence(
    der(0xa0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    subject,
    sequence(time(new Date(now - 3_600_000)), time(new Date(now + days * 86_400_000))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const certificate = sequence(content, algorithm, bits(sign('sha256', content, privateKey)));
  const lines = certificate.toString('base64').match(/.{1,64}/g);
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [directory, ...names] = process.argv.slice(2);
  if (!directory) {
    console.error('usage: node examples/self-signed-certificate.mjs DIRECTORY [HOST_OR_ADDRESS…]');
    process.exit(2);
  }
  const { cert, key } = selfSignedCertificate(names.length > 0 ? names : ['localhost', '127.0.0.1', '::1']);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'key.pem'), key, { mode: 0o600 });
  writeFileSync(join(directory, 'cert.pem'), cert);
}
