/**
 * From the topics to readers over HTTP: {@code mirror} answers the interface, {@code feed} follows topics,
 * {@code access} decides who may read, and {@code web} has the routes and the page.
 */
@NullMarked
package io.tidemark.serve;

import org.jspecify.annotations.NullMarked;
