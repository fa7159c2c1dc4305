/**
 * Tests of the laws of change detection over real HTTP. The fixtures are an upstream server whose bodies a test alters,
 * a source that polls it, and the fold of its changes.
 */
package io.tidemark.law;
