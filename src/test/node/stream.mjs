// Follows a topic over a WebSocket with the published client of Action Cable: node stream.mjs <ws URL> <key> <topic>.
// Prints what it got; it connects again by itself if no ping arrives.

import * as ActionCable from '@rails/actioncable/app/assets/javascripts/actioncable.esm.js';
import {WebSocket} from 'undici';

const [url, key, topic] = process.argv.slice(2);
globalThis.addEventListener = globalThis.removeEventListener = () => {}; // what it looks for in a browser
globalThis.document = {visibilityState: 'visible'};
ActionCable.adapters.WebSocket = class extends WebSocket {
  constructor(address, protocols) {
    super(address, {protocols, headers: {authorization: `Bearer ${key}`}});
  }
};

const cable = ActionCable.createConsumer(url);
const subscribe = (channel, then) => cable.subscriptions.create(channel, {
  connected: () => console.log('connected', cable.connection.getProtocol()),
  rejected: () => then('rejected'),
  received: message => then(message)
});

await new Promise(done => subscribe({channel: 'OnchainTrade'}, answer => done(console.log('OnchainTrade', answer))));
const records = [];
await new Promise(done => subscribe({channel: topic, from: 'beginning'}, message => {
  if (message.event === 'record') {
    records.push(message.data);
  } else if (message.event === 'caught-up') {
    done();
  }
}));
console.log('records', records.length, 'of', new Set(records.map(record => record.topic)).size, 'topic');
const tokens = subscribe({channel: 'OnchainSimpleTokenPrice'}, message => console.log(message.code, message.message));
tokens.connected = () => tokens.perform('set_tokens', {'network_id:token_addresses': ['eth:0x1']});
setTimeout(() => {
  console.log('still open', cable.connection.isOpen(), 'attempts', cable.connection.monitor.reconnectAttempts);
  process.exit();
}, 8_000); // longer than it waits for a ping
