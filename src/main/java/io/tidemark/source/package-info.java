/** One source from poll to commit: ownership of sources over instances, failover, and sessions that poll, detect and commit. */
@NullMarked
package io.tidemark.source;

import org.jspecify.annotations.NullMarked;
