// Prints the leading digits of each figure of the shared table, one a line.
// Usage: node figures.mjs <text.js of the page> <table>
import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [page, table] = process.argv.slice(2);
const {leading} = await import(pathToFileURL(resolve(page)).href);
for (const line of readFileSync(table, 'utf8').trim().split('\n').slice(1)) {
  const [value, digits] = line.split('|').map(each => each.trim());
  console.log(leading(Number(value), Number(digits)));
}
