// After installation: puts the Node.js of this machine's package where scripts find it. npm 10 takes the link
// `node_modules/.bin/node` away again together with the packages of other platforms, whose command has the same name.
import { existsSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url));
const name = `node-${process.platform}-${process.arch}`;
const link = `${modules}.bin/node`;
if (process.platform !== 'win32' && existsSync(`${modules}${name}/bin/node`) && !existsSync(link)) {
  symlinkSync(`../${name}/bin/node`, link);
}
