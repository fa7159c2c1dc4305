// Reads topics of Tidemark from the beginning and prints a line of JSON for each record.
//   node consumer.mjs BOOTSTRAP REGISTRY GROUP COUNT TOPIC...
import avro from 'avsc';
import kafkajs from 'kafkajs';
import lz4 from 'lz4js';

const [bootstrap, registry, group, count, ...topics] = process.argv.slice(2);
const { Kafka, CompressionCodecs, CompressionTypes, logLevel } = kafkajs;
CompressionCodecs[CompressionTypes.LZ4] = () => ({
  compress: async (encoder) => Buffer.from(lz4.compress(encoder.buffer)),
  decompress: async (bytes) => Buffer.from(lz4.decompress(bytes)),
});

const types = new Map();
async function typeOf(id) {
  if (!types.has(id)) {
    const answer = await fetch(`${registry}/schemas/ids/${id}`);
    if (!answer.ok) throw new Error(`registry: schema ${id}: ${answer.status}`);
    types.set(id, avro.Type.forSchema(JSON.parse((await answer.json()).schema)));
  }
  return types.get(id);
}

// A zero, four bytes of schema id, the Avro binary; a tombstone has no value.
async function decoded(value) {
  if (value === null) return null;
  return (await typeOf(value.readInt32BE(1))).fromBuffer(value.subarray(5));
}

const kafka = new Kafka({ brokers: bootstrap.split(','), logLevel: logLevel.ERROR });
const consumer = kafka.consumer({ groupId: group, readUncommitted: false });   // committed records only: the default
await consumer.connect();
await consumer.subscribe({ topics, fromBeginning: true });
let read = 0;
await new Promise((done, failed) => {
  consumer.on(consumer.events.CRASH, (event) => failed(event.payload.error));
  consumer.run({
    eachMessage: async ({ topic, message }) => {
      if (read === Number(count)) return;
      console.log(JSON.stringify({ topic, key: message.key?.toString() ?? null, value: await decoded(message.value) }));
      if (++read === Number(count)) done();
    },
  }).catch(failed);
});
await consumer.disconnect();
