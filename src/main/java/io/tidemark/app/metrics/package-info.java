/**
 * The metrics of this process for Prometheus. Each label has a bounded set of values, never names or ids that come
 * from outside. Imports {@code capture.source}, {@code capture.poll}, {@code capture.ledger}, {@code capture.change},
 * {@code stream}, {@code notify}, {@code serve.feed}, {@code serve.mirror}, {@code serve.web}, {@code kafka}, {@code
 * market} and {@code event}.
 */
@NullMarked
package io.tidemark.app.metrics;

import org.jspecify.annotations.NullMarked;
