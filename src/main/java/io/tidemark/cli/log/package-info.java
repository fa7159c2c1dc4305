/** How log lines look: on a terminal, in a container, and with what strangers wrote in them. Imports nothing of ours. */
@NullMarked
package io.tidemark.cli.log;

import org.jspecify.annotations.NullMarked;
