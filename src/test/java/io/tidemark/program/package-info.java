/** Tests of the whole program: its commands, its page, its containers and its documents, with their fixtures. */
package io.tidemark.program;
