"""Reads topics of Tidemark from the beginning and prints a line of JSON for each record.

  python3 consumer.py BOOTSTRAP REGISTRY GROUP COUNT TOPIC...

Needs confluent-kafka and avro (Debian: python3-confluent-kafka, python3-avro).
"""
import io
import json
import sys
import urllib.request

import avro.io
import avro.schema
from confluent_kafka import Consumer, KafkaException

bootstrap, registry, group, count, *topics = sys.argv[1:]
readers = {}


def reader(schema_id):
    if schema_id not in readers:
        with urllib.request.urlopen(f"{registry}/schemas/ids/{schema_id}") as answer:
            schema = avro.schema.parse(json.load(answer)["schema"])
        readers[schema_id] = avro.io.DatumReader(schema)
    return readers[schema_id]


def decoded(value):
    """A zero, four bytes of schema id, the Avro binary; a tombstone has no value."""
    if value is None:
        return None
    decoder = avro.io.BinaryDecoder(io.BytesIO(value[5:]))
    return reader(int.from_bytes(value[1:5], "big")).read(decoder)


consumer = Consumer({
    "bootstrap.servers": bootstrap, "group.id": group, "auto.offset.reset": "earliest",
    "isolation.level": "read_committed"})
consumer.subscribe(topics)
read = 0
while read < int(count):
    message = consumer.poll(1.0)
    if message is None:
        continue
    if message.error():
        raise KafkaException(message.error())
    key = message.key().decode() if message.key() is not None else None
    print(json.dumps({"topic": message.topic(), "key": key, "value": decoded(message.value())}, default=str), flush=True)
    read += 1
consumer.close()
