// Reads an MCAP file as other programs do, by npm's @mcap/core and protobufjs, and writes what is in it as JSON: the
// number of messages of each topic, and the places of all frames. Usage: node export_mcap.mjs NODE_MODULES FILE OUTPUT
import assert from 'node:assert';
import fs from 'node:fs';
import { createRequire } from 'node:module';

const [modules, file, output] = process.argv.slice(2);
const require = createRequire(modules + '/');
const { McapStreamReader } = require(modules + '/@mcap/core');
const protobuf = require(modules + '/protobufjs');
const { FileDescriptorSet } = require(modules + '/protobufjs/ext/descriptor');

const schemas = new Map(), channels = new Map(), counts = {}, places = {};
const types = new Map();
let statistics;

function typeOf(schema) {
  if (!types.has(schema.id))
    types.set(schema.id, protobuf.Root.fromDescriptor(FileDescriptorSet.decode(schema.data)).lookupType(schema.name));
  return types.get(schema.id);
}

function take(message) {
  const channel = channels.get(message.channelId), schema = schemas.get(channel.schemaId);
  counts[channel.topic] = (counts[channel.topic] ?? 0) + 1;
  if (channel.messageEncoding === 'json') {
    assert(Object.values(JSON.parse(Buffer.from(message.data))).every(Number.isFinite));
    return;
  }
  const type = typeOf(schema), value = type.decode(message.data);
  assert.equal(type.verify(value), null);
  for (const { child_frame_id: frame, translation: p } of value.transforms ?? []) {
    places[frame] ??= {};
    (places[frame][message.logTime] ??= []).push([p.x, p.y, p.z]);
  }
}

const reader = new McapStreamReader({ validateCrcs: true });
reader.append(fs.readFileSync(file));
for (let record; (record = reader.nextRecord()); ) {
  if (record.type === 'Schema') schemas.set(record.id, record);
  else if (record.type === 'Channel') channels.set(record.id, record);
  else if (record.type === 'Message') take(record);
  else if (record.type === 'Statistics') statistics = record;
}
assert(reader.done());
assert.equal(Number(statistics.messageCount), Object.values(counts).reduce((a, b) => a + b, 0));
fs.writeFileSync(output, JSON.stringify({ counts, places }));
