/** The market data interface over HTTP: its wire format, a client, and a server. */
@NullMarked
package io.tidemark.http;

import org.jspecify.annotations.NullMarked;
