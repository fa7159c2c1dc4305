// The shared worker: it has the connection of all tabs of a browser.

import {Hub} from './hub.js';

const hub = new Hub();
let tabs = 0;

self.onconnect = event => {
  const [port] = event.ports;
  const id = ++tabs;
  port.onmessage = ({data}) => hub.take(id, message => port.postMessage(message), data);
};
