/**
 * What is on the topics: the records generated from the schemas, and {@code ChangeView}, which knows what a change, a
 * facet, a derived figure and a decimal are. Imports nothing of Tidemark. The package is not marked as a whole, because
 * generated getters may answer null; each class written by hand is.
 */
package io.tidemark.event;
