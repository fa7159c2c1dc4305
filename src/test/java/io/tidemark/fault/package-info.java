/** What networks, machines and services do to programs, made to order. */
@NullMarked
package io.tidemark.fault;

import org.jspecify.annotations.NullMarked;
