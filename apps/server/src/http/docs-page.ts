/**
 * The page at `/portal/api/docs`, and the errors that `type` of an answer leads to. The parts of an address behind `#` never reach
 * a server: the script of the page opens that error's page of the documentation site or, where the site was not built, the list
 * here.
 */
import { errorCodes, problemType } from '@portico/contract';
import { escaped } from './escaped.ts';
import { MOUNT_PREFIX } from './mount.ts';

/** Address of the page. */
export const DOCS = `${MOUNT_PREFIX}/docs`;

/** The samples of all operations, which the script shows in each of them. */
export const SAMPLES = `${DOCS}/samples.json`;

/** The pages of the site about errors, one each. */
const ERRORS = '/portal/docs/errors';

const STYLE = `header{max-width:1460px;margin:0 auto;padding:1.5rem 1.25rem 0;color:#3b4151;font:1rem/1.5 sans-serif}
header h1{margin:0;font-size:1.5rem}
header p{margin:.25rem 0}
.swagger-ui>div{display:flex;flex-direction:column}
.swagger-ui .information-container{order:1}
.swagger-ui .wrapper{box-sizing:border-box}
.swagger-ui .samples button{margin:.75rem .25rem 0 0;padding:.25rem .75rem;border:1px solid #888;border-radius:.25rem;background:none;font:inherit;cursor:pointer}
.swagger-ui .samples button[aria-pressed=true]{border-color:#1d5b79;background:#1d5b79;color:#fff}
.swagger-ui .samples>div{padding:0 1.25rem 1rem}
.swagger-ui .opblock-body .samples pre.microlight{max-height:24rem;margin:.75rem 0 0;overflow:auto;font-weight:400}
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
(Authorize). In samples, <code>$TOKEN</code> is the output of <code>npx portico token</code>, and <code>client</code> is a
<a href="/portal/docs/library">client of the library</a>. <a href="/portal/docs/">Guides</a></p>
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
let interfacePage;

const errorName = () => location.hash.slice('#error-'.length).toLowerCase().replaceAll('_', '-');

async function showErrors() {
  const address = '${ERRORS}/' + errorName();
  const site = await fetch(address, { method: 'HEAD', headers: { Accept: 'text/html' } }).catch(() => undefined);
  if (site?.ok) return location.replace(address);
  operations.hidden = head.hidden = true;
  errors.hidden = false;
  // The browser looked for the error when the list was not shown yet.
  document.getElementById('error-' + errorName())?.scrollIntoView();
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

let samples;
let chosen = 'curl';

async function readSamples() {
  const answer = await fetch('${SAMPLES}');
  if (!answer.ok) throw new Error('Reading the samples failed: ' + answer.status);
  return answer.json();
}

// The samples of an operation, above its parameters; the kind that was chosen last comes first in the next one.
function samplesOf({ createElement, useEffect, useState }) {
  return ({ path, method }) => {
    const [all, setAll] = useState({});
    const [kind, setKind] = useState(chosen);
    useEffect(() => {
      samples ??= readSamples().catch((error) => {
        samples = undefined;
        console.error(error);
        return {};
      });
      samples.then(setAll);
    }, []);
    const sample = all[method.toUpperCase() + ' ' + path];
    if (!sample) return null;
    const button = (name) =>
      createElement('button', { key: name, type: 'button', 'aria-pressed': name === kind, onClick: () => choose(name) }, name);
    const choose = (name) => {
      chosen = name;
      setKind(name);
    };
    const text = sample[kind].replaceAll('http://localhost:8080', location.origin);
    return createElement(
      'div',
      { className: 'samples' },
      createElement('div', { className: 'opblock-section-header' }, createElement('h4', null, 'Samples')),
      createElement('div', null, Object.keys(sample).map(button), createElement('pre', { className: 'microlight' }, text)),
    );
  };
}

const withSamples = (Parameters, { React }) => {
  const Samples = samplesOf(React);
  return (props) => {
    const [path, method] = props.pathMethod;
    return React.createElement(
      React.Fragment,
      null,
      React.createElement(Samples, { path, method }),
      React.createElement(Parameters, props),
    );
  };
};

function showOperations() {
  operations.hidden = head.hidden = false;
  errors.hidden = true;
  // Swagger UI follows the address only when it starts.
  if (interfacePage) return interfacePage.layoutActions.parseDeepLinkHash(location.hash);
  interfacePage = SwaggerUIBundle({
    url: '${MOUNT_PREFIX}/openapi.json',
    dom_id: '#page',
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    tryItOutEnabled: true,
    defaultModelsExpandDepth: -1,
    plugins: [() => ({ fn: { opsFilter }, wrapComponents: { parameters: withSamples } })],
    validatorUrl: null,
  });
}

const show = () => (location.hash.startsWith('#error-') ? showErrors() : showOperations());
addEventListener('hashchange', show);
show();
`;
