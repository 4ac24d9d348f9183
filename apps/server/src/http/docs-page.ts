/**
 * The page at `/portal/api/docs`, and the errors that `type` of an answer leads to. The parts of an address behind `#` never reach
 * a server: the script of the page opens the documentation site at that error or, where the site was not built, the list here.
 */
import { errorCodes, problemType } from '@portico/contract';
import { escaped } from './escaped.ts';
import { MOUNT_PREFIX } from './mount.ts';

/** Address of the page. */
export const DOCS = `${MOUNT_PREFIX}/docs`;

/** The page of the site that has every error. */
const ERRORS = '/portal/docs/errors';

const STYLE = `header{max-width:1460px;margin:0 auto;padding:1.5rem 1.25rem 0;color:#3b4151;font:1rem/1.5 sans-serif}
header h1{margin:0;font-size:1.5rem}
header p{margin:.25rem 0}
.swagger-ui>div{display:flex;flex-direction:column}
.swagger-ui .information-container{order:1}
.swagger-ui .wrapper{box-sizing:border-box}
#errors{max-width:46rem;margin:0 auto;padding:1.5rem 1.25rem 40vh;color:#3b4151;font:1rem/1.5 sans-serif}
#errors h3{margin:1.25rem 0 .25rem;font:600 1rem/1.5 monospace}
#errors p{margin:0 0 .5rem}
#errors section{padding:.1rem 1rem;border-left:.25rem solid transparent}
#errors section:target{border-color:#1d5b79;background:#eef4f7}`;

function errorSection([code, { status, title, message }]: [string, (typeof errorCodes)[keyof typeof errorCodes]]) {
  const [, anchor] = problemType(code as keyof typeof errorCodes).split('#');
  return `<section id="${anchor}"><h3>${code}</h3><p>${status}, ${escaped(title)}. ${escaped(message)}</p></section>`;
}

/** The page. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Portico interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${DOCS}/swagger-ui.css">
<style>${STYLE}</style>
</head>
<body>
<header id="top">
<h1>Portico interface</h1>
<p>Requests of this page use the session of the portal, if you are <a href="/portal/">signed in</a> there, or a token
(Authorize). <a href="/portal/docs/">Guides and samples of every operation</a></p>
</header>
<div id="page"></div>
<main id="errors" hidden>
<h1>Errors</h1>
<p>The list of codes in the answer to a refused request. <a href="${DOCS}">All operations</a></p>
${Object.entries(errorCodes).map(errorSection).join('\n')}
</main>
<script src="${DOCS}/swagger-ui-bundle.js"></script>
<script src="${DOCS}/page.js"></script>
</body>
</html>
`;

/** Its script. */
export const PAGE_SCRIPT = `const operations = document.getElementById('page');
const errors = document.getElementById('errors');
const head = document.getElementById('top');
let started = false;

async function showErrors() {
  const site = await fetch('${ERRORS}', { method: 'HEAD', headers: { Accept: 'text/html' } }).catch(() => undefined);
  if (site?.ok) return location.replace('${ERRORS}' + location.hash);
  operations.hidden = head.hidden = true;
  errors.hidden = false;
  // The browser looked for the error when the list was not shown yet.
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

// Finds words in everything that is said about an operation, not in the names of groups alone.
function opsFilter(groups, phrase) {
  const words = phrase.toLowerCase().split(' ').filter(Boolean);
  const matches = (group) => (operation) => {
    const text = (group + ' ' + JSON.stringify(operation)).toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups
    .map((group, name) => group.update('operations', (list) => list.filter(matches(name))))
    .filter((group) => group.get('operations').size > 0);
}

function showOperations() {
  operations.hidden = head.hidden = false;
  errors.hidden = true;
  if (started) return;
  started = true;
  SwaggerUIBundle({
    url: '${MOUNT_PREFIX}/openapi.json',
    dom_id: '#page',
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    tryItOutEnabled: true,
    defaultModelsExpandDepth: -1,
    plugins: [() => ({ fn: { opsFilter } })],
    validatorUrl: null,
  });
}

const show = () => (location.hash.startsWith('#error-') ? showErrors() : showOperations());
addEventListener('hashchange', show);
show();
`;
