// Validates API documents: node validate.mjs <openapi.json> <asyncapi.json>. Prints one line for each problem.

import {readFile} from 'node:fs/promises';
import {Parser} from '@asyncapi/parser';
import {AvroSchemaParser} from '@asyncapi/avro-schema-parser';
import {validate} from '@readme/openapi-parser';

const [openApi, asyncApi] = process.argv.slice(2);
const problems = [];

const checked = await validate(JSON.parse(await readFile(openApi, 'utf8')));
(checked.errors ?? []).forEach(error => problems.push(`openapi: ${error.message}`));
console.log(`openapi ${checked.specification} ${checked.valid ? 'valid' : 'not valid'}`);

const parser = new Parser();
parser.registerSchemaParser(AvroSchemaParser());
const {document, diagnostics} = await parser.parse(await readFile(asyncApi, 'utf8'));
const ERROR = 0;
diagnostics.filter(found => found.severity === ERROR)
  .forEach(found => problems.push(`asyncapi: ${found.path.join('.')}: ${found.message}`));
console.log(`asyncapi ${document?.version() ?? ''} ${document === undefined ? 'not valid' : 'valid'}, `
  + `${document?.channels().length ?? 0} channels`);

problems.forEach(problem => console.log(problem));
process.exitCode = problems.length > 0 ? 1 : 0;
