/** Delivery of alerts to people and programs; imports topic and event. */
@NullMarked
package io.tidemark.receiver;

import org.jspecify.annotations.NullMarked;
