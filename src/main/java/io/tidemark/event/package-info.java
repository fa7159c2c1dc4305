/**
 * The records on the topics, generated from the schemas, and {@code ChangeView}, which knows what a change, a facet, a
 * derived figure and a decimal are. Also text functions that all other packages use: durations, figures, secrets, and
 * suggestions for misspelt names. Imports no other package of Tidemark. The package as a whole is not null-marked,
 * because generated getters may return null. Each handwritten class is null-marked instead.
 */
package io.tidemark.event;
