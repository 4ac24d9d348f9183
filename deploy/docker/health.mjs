// The health check of the image: 0 when the node is ready. A node that speaks TLS itself is asked without its certificate
// being checked, since that names the portal and not this machine.
const secure = Boolean(process.env.PORTICO_TLS_CERT_FILE);
const { get } = await import(secure ? 'node:https' : 'node:http');
const port = process.env.PORT || '8080';
const request = get({ host: '127.0.0.1', port, path: '/readyz', rejectUnauthorized: false, timeout: 4_000 });
request.on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1));
request.on('timeout', () => request.destroy(new Error(`port ${port} does not answer`)));
request.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
});
