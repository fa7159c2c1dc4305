/**
 * Fixtures that inject faults: a proxy with adjustable network conditions, a broker process that can be killed, and
 * triggers for phases of an instance.
 */
@NullMarked
package io.tidemark.fault;

import org.jspecify.annotations.NullMarked;
